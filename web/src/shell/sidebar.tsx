import {
  type Icon,
  IconAddressBook,
  IconAlertTriangle,
  IconBook,
  IconBuilding,
  IconDeviceMobile,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMessages,
  IconRoute,
  IconSpeakerphone,
  IconTemplate,
  IconTerminal2,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useMatters } from '../alerts/use-matters.ts';
import { runningCampaignsQuery, runningMax } from '../api/running-campaigns.ts';
import { SearchButton } from '../search/search-button.tsx';
import { usePlace } from '../session/session.tsx';
import { AccountSwitcher } from './account-switcher.tsx';
import { Mark } from './mark.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { UserMenu } from './user-menu.tsx';

interface Place {
  readonly to: NonNullable<LinkProps['to']>;
  readonly name: string;
  readonly icon: Icon;
}

interface Group {
  readonly title: string | null;
  /** Whether it is for operators or for users of one account; for everybody without it. */
  readonly isForOperators?: boolean;
  readonly places: readonly Place[];
}

const auditLog: Place = { to: '/audit-log', name: 'Audit log', icon: IconHistory };

const groups: readonly Group[] = [
  { title: null, places: [{ to: '/', name: 'Overview', icon: IconLayoutDashboard }] },
  {
    title: 'Try it',
    places: [
      { to: '/playground', name: 'Playground', icon: IconTerminal2 },
      { to: '/sandbox', name: 'Sandbox phone', icon: IconDeviceMobile },
    ],
  },
  {
    title: 'Activity',
    places: [
      { to: '/messages', name: 'Messages', icon: IconMessages },
      { to: '/requests', name: 'Requests', icon: IconRoute },
      { to: '/webhooks', name: 'Webhooks', icon: IconWebhook },
      { to: '/alerts', name: 'Alerts', icon: IconAlertTriangle },
    ],
  },
  {
    title: 'Audience',
    places: [
      { to: '/contacts', name: 'Contacts', icon: IconAddressBook },
      { to: '/campaigns', name: 'Campaigns', icon: IconSpeakerphone },
    ],
  },
  {
    title: 'Manage',
    places: [
      { to: '/keys', name: 'API keys', icon: IconKey },
      { to: '/templates', name: 'Templates', icon: IconTemplate },
    ],
  },
  {
    title: 'Installation',
    isForOperators: true,
    places: [
      { to: '/accounts', name: 'Accounts', icon: IconBuilding },
      { to: '/users', name: 'Users', icon: IconUsers },
      auditLog,
    ],
  },
  { title: 'Account', isForOperators: false, places: [auditLog] },
];

/** The totals are much to count: on most pages nothing else needs them. */
const rarely = { refetchInterval: 60_000 };

/** How many things on a page need attention. */
function Marks({ of }: { of: Place['to'] }) {
  if (of === '/webhooks') return <FailingMark />;
  if (of === '/campaigns') return <RunningMark />;
  return of === '/alerts' ? <AlertsMark /> : null;
}

function RunningMark() {
  const { accountId, mode } = usePlace();
  const count = useQuery(runningCampaignsQuery(accountId, mode)).data ?? 0;
  return (
    count > 0 && (
      <span className="side-mark-count" data-tone="blue">
        {count}
        {count === runningMax && '+'} running
      </span>
    )
  );
}

function FailingMark() {
  const count = useMatters(rarely).overview.data?.failing_endpoints.length ?? 0;
  return count > 0 && <span className="side-mark-count">{count} failing</span>;
}

function AlertsMark() {
  const count = useMatters(rarely).data?.length ?? 0;
  return count > 0 && <span className="side-mark-count">{count} open</span>;
}

interface SidebarProps {
  readonly onLeave?: () => void;
  readonly onSearch: () => void;
}

/** The way to every page. */
export function Sidebar({ onLeave, onSearch }: SidebarProps) {
  const { session } = usePlace();
  return (
    <div className="side">
      <div className="side-mark row">
        <Mark />
        Parley
      </div>
      <AccountSwitcher />
      <ModeSwitch />
      <SearchButton onOpen={onSearch} />
      <nav aria-label="Pages">
        {groups
          .filter(
            ({ isForOperators }) =>
              isForOperators === undefined || isForOperators === (session.user.role === 'operator'),
          )
          .map((group) => (
            <div key={group.title}>
              {group.title && <div className="side-group">{group.title}</div>}
              {group.places.map((place) => (
                <Link
                  key={place.name}
                  to={place.to}
                  className="side-link row"
                  activeOptions={{ exact: place.to === '/', includeSearch: false }}
                  {...(onLeave && { onClick: onLeave })}
                >
                  <place.icon size={18} stroke={1.65} aria-hidden="true" />
                  {place.name}
                  <Marks of={place.to} />
                </Link>
              ))}
            </div>
          ))}
      </nav>
      <div className="side-foot">
        {session.simulator && (
          <div className="side-state row">
            <span className="dot" style={{ color: 'var(--green)' }} />
            Simulator running
          </div>
        )}
        <a className="side-state row" href="/docs" target="_blank" rel="noreferrer">
          <IconBook size={16} stroke={1.65} aria-hidden="true" />
          API reference
        </a>
        <UserMenu onLeave={onLeave} />
      </div>
    </div>
  );
}
