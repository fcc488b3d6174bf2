import { IconChevronRight } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

interface PageHeaderProps {
  readonly title: string;
  readonly crumb?: ReactNode;
  readonly badges?: ReactNode;
  readonly sentence?: ReactNode;
  readonly actions?: ReactNode;
}

/** The page that the focus was led to last; the first one of a visit leaves it where browsers do. */
let pathBefore: string | null = null;

/** The head of a page; its title is the tab's too. A new page takes the focus here. */
export function PageHeader({ title, crumb, badges, sentence, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => {
    if (pathBefore !== null && pathBefore !== path) heading.current?.focus({ preventScroll: true });
    pathBefore = path;
  }, [path]);
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
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {badges}
        </div>
        {sentence && <p className="quiet">{sentence}</p>}
      </div>
      {actions && <div className="page-actions">{actions}</div>}
    </div>
  );
}
