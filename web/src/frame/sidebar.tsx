import {
  type Icon,
  IconBook,
  IconKey,
  IconLayoutDashboard,
  IconMessages,
  IconTerminal2,
} from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { AccountSwitcher } from './account-switcher.tsx';
import { Mark } from './mark.tsx';
import { usePlace } from './session.tsx';
import { UserMenu } from './user-menu.tsx';

interface Place {
  readonly to: NonNullable<LinkProps['to']>;
  readonly name: string;
  readonly icon: Icon;
}

interface Group {
  readonly title: string | null;
  readonly isForOperators?: boolean;
  readonly places: readonly Place[];
}

const groups: readonly Group[] = [
  { title: null, places: [{ to: '/', name: 'Overview', icon: IconLayoutDashboard }] },
  { title: 'Try it', places: [{ to: '/playground', name: 'Playground', icon: IconTerminal2 }] },
  {
    title: 'Activity',
    places: [{ to: '/messages', name: 'Messages', icon: IconMessages }],
  },
  { title: 'Manage', places: [{ to: '/keys', name: 'API keys', icon: IconKey }] },
];

/** The way to every page. */
export function Sidebar({ onLeave }: { onLeave?: () => void }) {
  const { session } = usePlace();
  return (
    <div className="side">
      <div className="side-mark">
        <Mark />
        Parley
      </div>
      <AccountSwitcher />
      <nav aria-label="Pages">
        {groups
          .filter((group) => !group.isForOperators || session.user.role === 'operator')
          .map((group) => (
            <div key={group.title}>
              {group.title && <div className="side-group">{group.title}</div>}
              {group.places.map((place) => (
                <Link
                  key={place.name}
                  to={place.to}
                  className="side-link"
                  activeOptions={{ exact: place.to === '/', includeSearch: false }}
                  {...(onLeave && { onClick: onLeave })}
                >
                  <place.icon size={18} stroke={1.65} aria-hidden="true" />
                  {place.name}
                </Link>
              ))}
            </div>
          ))}
      </nav>
      <div className="side-foot">
        {session.simulator && (
          <div className="side-state">
            <span className="dot" style={{ color: 'var(--green)' }} />
            Simulator running
          </div>
        )}
        <a className="side-state" href="/docs" target="_blank" rel="noreferrer">
          <IconBook size={16} stroke={1.65} aria-hidden="true" />
          API reference
        </a>
        <UserMenu />
      </div>
    </div>
  );
}
