import { IconChevronRight } from '@tabler/icons-react';
import { useMatch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

interface PageHeaderProps {
  readonly title: string;
  /** The title as the heading shows it, where that is a link. */
  readonly heading?: ReactNode;
  readonly crumb?: ReactNode;
  readonly badges?: ReactNode;
  readonly sentence?: ReactNode;
  readonly actions?: ReactNode;
}

/** Whether the next page takes the focus; the first one of a visit leaves it where browsers do. */
let isFocusLed = false;

/** After signing in, the focus is on the heading of the page. */
export const leadFocus = () => {
  isFocusLed = true;
};

/** The head of a page; its title is the tab's too. A new page takes the focus here. */
export function PageHeader({ title, heading, crumb, badges, sentence, actions }: PageHeaderProps) {
  const head = useRef<HTMLHeadingElement>(null);
  // Of the page itself: the address changes while the page before is still shown, and with each item that
  // is opened next to a list.
  const page = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => {
    if (isFocusLed) head.current?.focus({ preventScroll: true });
    isFocusLed = true;
  }, [page]);
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return (
    <div className="page-head">
      <div className="grow" style={{ flexBasis: 260 }}>
        {crumb && (
          <div className="page-crumb">
            {crumb}
            <IconChevronRight size={14} aria-hidden="true" />
          </div>
        )}
        <div className="row wrap">
          <h1 ref={head} tabIndex={-1}>
            {heading ?? title}
          </h1>
          {badges}
        </div>
        {sentence && <p className="quiet">{sentence}</p>}
      </div>
      {actions && <div className="page-actions row">{actions}</div>}
    </div>
  );
}
