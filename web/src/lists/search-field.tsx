import { type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react';
import { SearchInput } from './search-input.tsx';

/** Who stops typing for so long has typed what they look for. */
const pauseMs = 500;

interface SearchFieldProps {
  /** What can be searched for. */
  readonly label: string;
  /** The same in fewer words, where the field is too narrow for the label. */
  readonly placeholder?: string;
  /** What the address says. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** Texts that are searched for only with Enter: they open a page, or the API does not take them. */
  readonly waits?: (text: string) => boolean;
}

/** Searches with Enter, and when the user stops typing or leaves the field. */
export function SearchField({
  label,
  placeholder = label,
  value,
  onSearch,
  waits = () => false,
}: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [last, setLast] = useState(value);
  /** What was searched for and is not in the address yet. */
  const [asked, setAsked] = useState<readonly string[]>([]);
  if (value !== last) {
    setLast(value);
    const place = asked.indexOf(value);
    setAsked(place === -1 ? [] : asked.slice(place + 1));
    // Somebody else changed the address, such as “Clear filters”. Otherwise the user may have typed on.
    if (place === -1) setText(value);
  }
  const typed = text.trim();
  const isNew = typed !== (asked.at(-1) ?? value);
  const search = () => {
    if (isNew) setAsked([...asked, typed]);
    onSearch(typed);
  };
  const searchUnasked = () => {
    if (isNew && !waits(typed)) search();
  };
  const onPause = useEffectEvent(searchUnasked);
  useEffect(() => {
    const timer = setTimeout(onPause, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    search();
  };
  return (
    <form onSubmit={submit} className="search">
      <SearchInput
        label={label}
        placeholder={placeholder}
        hint={text === '' && <kbd className="key-hint">/</kbd>}
        value={text}
        onText={setText}
        onBlur={searchUnasked}
      />
    </form>
  );
}
