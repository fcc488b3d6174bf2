import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { part } from '../parts/missing-part.ts';

const SearchDialog = lazy(part(() => import('./search-dialog.tsx')));

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The search, opened by its hotkey anywhere. Its code is loaded when it is first opened. */
export function useSearch() {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const open = () => {
    setWasOpened(true);
    setIsOpen(true);
  };
  // No tags to ignore: the hotkey works while a field has the focus.
  useHotkeys([['mod+K', open]], []);
  const dialog = wasOpened && (
    <Suspense>
      <SearchDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </Suspense>
  );
  return { open, dialog };
}

/** Looks like a field, and opens the search. */
export function SearchButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button type="button" className="side-search row" onClick={onOpen} aria-haspopup="dialog">
      <IconSearch size={16} stroke={1.65} aria-hidden="true" />
      <span className="grow">Search</span>
      <kbd aria-hidden="true">{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  );
}
