import { Kbd, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type SyntheticEvent, useState } from 'react';

interface SearchFieldProps {
  /** What can be searched for. */
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** Searches when the user stops typing: the API compares whole values. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form onSubmit={submit} className="search">
      <TextInput
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={16} />}
        rightSection={text === '' && <Kbd size="xs">/</Kbd>}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => text.trim() !== value && onSearch(text.trim())}
      />
    </form>
  );
}
