import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { lazyPart, OnceOpened } from '../parts/lazy-part.tsx';
import { typedSoFar } from './typed-so-far.ts';

const SearchDialog = lazyPart(() => import('./search-dialog.tsx'), 'SearchDialog');

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The search, opened by its hotkey anywhere. Its code is loaded when the browser has nothing else to do. */
export function useSearch() {
  const [isOpen, setIsOpen] = useState(false);
  // What was typed before the field was there to take it.
  const typed = useRef('');
  const takeTyped = () => {
    const text = typed.current;
    typed.current = '';
    return text;
  };
  const open = () => setIsOpen(true);
  const close = () => {
    typed.current = '';
    setIsOpen(false);
  };
  useEffect(whenIdle, []);
  useEffect(() => {
    if (!isOpen) return;
    const keep = (event: KeyboardEvent) => {
      if (document.activeElement?.closest('.finder')) return;
      if (event.key === 'Escape') {
        typed.current = '';
        setIsOpen(false);
      }
      const text = typedSoFar(typed.current, event);
      if (text === null) return;
      typed.current = text;
      // It is not meant for what had the focus before.
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', keep, true);
    return () => window.removeEventListener('keydown', keep, true);
  }, [isOpen]);
  // No tags to ignore: the hotkey works while a field has the focus.
  useHotkeys([['mod+K', open]], []);
  const dialog = (
    <OnceOpened isOpen={isOpen}>
      {(isShown) => <SearchDialog isOpen={isShown} onClose={close} onField={takeTyped} />}
    </OnceOpened>
  );
  return { open, dialog };
}

/** Loads the search before it is opened, but after the page. */
function whenIdle() {
  // Safari does not say when it is idle.
  if (typeof window.requestIdleCallback !== 'function') return;
  const idle = window.requestIdleCallback(() => SearchDialog.preload());
  return () => window.cancelIdleCallback(idle);
}

/** Looks like a field, and opens the search. */
export function SearchButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button type="button" className="side-search row" onClick={onOpen} aria-haspopup="dialog">
      <IconSearch size={16} stroke={1.65} aria-hidden="true" />
      <span className="grow">Search</span>
      <kbd className="key-hint" aria-hidden="true">
        {isApple ? '⌘ K' : 'Ctrl K'}
      </kbd>
    </button>
  );
}
