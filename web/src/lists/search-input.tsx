import { IconSearch } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { keyFault, withoutSecret } from '../parts/key-text.ts';
import { PlainField } from '../parts/plain-field.tsx';

interface SearchInputProps extends Omit<ComponentProps<typeof PlainField>, 'onChange' | 'error'> {
  /** At the end of the field. */
  readonly hint?: ReactNode;
  readonly onText: (text: string) => void;
}

/** A field to search with. What it takes becomes part of addresses, so it takes no secrets. */
export function SearchInput({ hint, onText, className = '', ...field }: SearchInputProps) {
  const [hadSecret, setHadSecret] = useState(false);
  return (
    <div className={`search-input ${className}`}>
      <IconSearch size={16} aria-hidden="true" />
      <PlainField
        {...field}
        error={hadSecret ? keyFault : null}
        onChange={({ currentTarget: { value } }) => {
          const text = withoutSecret(value);
          setHadSecret(text !== value);
          onText(text);
        }}
      />
      {hint}
    </div>
  );
}
