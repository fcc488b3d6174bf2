import { useEffect, useRef } from 'react';

/** For a list that scrolls by itself: brings the chosen row into its view, and leaves the page where it is. */
export function useChosenInView<List extends HTMLElement>(
  chosen: string | undefined,
  isShown: boolean,
) {
  const list = useRef<List>(null);
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[data-chosen="true"]');
    if (!list.current || !row || chosen === undefined || !isShown) return;
    const { top, bottom } = list.current.getBoundingClientRect();
    const box = row.getBoundingClientRect();
    if (box.top < top) list.current.scrollTop -= top - box.top;
    else if (box.bottom > bottom) list.current.scrollTop += box.bottom - bottom;
  }, [chosen, isShown]);
  return list;
}
