import { IconSearch } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { PlainField } from '../parts/plain-field.tsx';

interface SearchInputProps extends ComponentProps<typeof PlainField> {
  /** At the end of the field. */
  readonly hint?: ReactNode;
}

/** A field to search with. */
export function SearchInput({ hint, className = '', ...field }: SearchInputProps) {
  return (
    <div className={`search-input ${className}`}>
      <IconSearch size={16} aria-hidden="true" />
      <PlainField {...field} />
      {hint}
    </div>
  );
}
