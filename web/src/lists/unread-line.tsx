import { type Unread, unreadWordsOf } from './unread-filters.ts';

/** Says what of the page's address narrows nothing, because no filter can read it. */
export function UnreadLine({ unread }: { unread: readonly Unread[] }) {
  const words = unreadWordsOf(unread);
  return (
    words && (
      <p className="small wrong search-fault" role="alert">
        {words}
      </p>
    )
  );
}
