import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';

interface PageHeaderProps {
  readonly title: string;
  readonly crumb?: ReactNode;
  readonly badges?: ReactNode;
  readonly sentence?: ReactNode;
  readonly actions?: ReactNode;
}

/** The head of a page; its title is the tab's too. */
export function PageHeader({ title, crumb, badges, sentence, actions }: PageHeaderProps) {
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
          <h1>{title}</h1>
          {badges}
        </div>
        {sentence && <p className="quiet">{sentence}</p>}
      </div>
      {actions && <div className="page-actions">{actions}</div>}
    </div>
  );
}
