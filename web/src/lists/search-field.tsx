import { type SyntheticEvent, useState } from 'react';
import { SearchInput } from './search-input.tsx';

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
      <SearchInput
        label={label}
        placeholder={label}
        hint={text === '' && <kbd>/</kbd>}
        value={text}
        onText={setText}
        onBlur={() => text.trim() !== value && onSearch(text.trim())}
      />
    </form>
  );
}
