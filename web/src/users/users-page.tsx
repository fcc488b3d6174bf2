import { addressOf } from '../api/client.ts';
import { roleWords } from '../session/role-words.ts';
import '../styles/manage.css';
import { Button } from '@mantine/core';
import {
  IconMail,
  IconPlus,
  IconPointFilled,
  IconShieldLock,
  IconToggleLeft,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usersQuery } from '../api/account-queries.ts';
import type { User } from '../api/types.ts';
import { Table } from '../lists/table.tsx';
import { ActionMenu } from '../parts/action-menu.tsx';
import { lazyPart, OnceOpened } from '../parts/lazy-part.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { Badge } from '../parts/status-badge.tsx';
import { operatorsOnly } from '../session/operators-only.tsx';
import { usePlace } from '../session/session.tsx';

const UserForm = lazyPart(() => import('./user-form.tsx'), 'UserForm');
const UserSessions = lazyPart(() => import('./user-sessions.tsx'), 'UserSessions');
const ResetLinkDialog = lazyPart(() => import('./reset-link.tsx'), 'ResetLinkDialog');
const FactorRemoval = lazyPart(() => import('./factor-removal.tsx'), 'FactorRemoval');
const UserDeletion = lazyPart(() => import('./user-deletion.tsx'), 'UserDeletion');

/** What is asked or shown about one user, in a dialog. */
const dialogs = [
  ['sessions', UserSessions],
  ['link', ResetLinkDialog],
  ['factor', FactorRemoval],
  ['deletion', UserDeletion],
] as const;

type About = (typeof dialogs)[number][0];

/** The users of the dashboard. */
export const UsersPage = operatorsOnly('Users', Users);

function Users() {
  const users = useQuery(usersQuery);
  const [subject, setSubject] = useState<User | 'new' | null>(null);
  const [asked, setAsked] = useState<{ about: About; user: User } | null>(null);
  const userOf = (about: About) => (asked?.about === about ? asked.user : null);
  const close = () => setAsked(null);
  return (
    <>
      <PageHeader
        title="Users"
        sentence="Operators run the installation; administrators manage one account; viewers read one."
        actions={
          <Button
            variant="filled"
            leftSection={<IconPlus size={16} />}
            onClick={() => setSubject('new')}
          >
            Create user
          </Button>
        }
      />
      <StaleNotice query={users} />
      <div className="card table-box">
        <ListState
          query={users}
          rows={users.data}
          empty={{
            icon: IconUsers,
            title: 'No user',
            sentence: 'Dashboard users are listed here.',
          }}
        >
          {(shown) => (
            <Table
              heads={[
                'Email address',
                'Role',
                'Account',
                'State',
                'Second factor',
                ['Last sign-in', 'end'],
              ]}
              unseenHead="Actions"
            >
              {shown.map((user) => (
                <UserRow
                  key={user.id}
                  user={user}
                  onEdit={() => setSubject(user)}
                  onAsk={(about) => setAsked({ about, user })}
                />
              ))}
            </Table>
          )}
        </ListState>
      </div>
      <OnceOpened isOpen={subject !== null}>
        {(isOpen) => (
          <UserForm subject={isOpen ? subject : null} onClose={() => setSubject(null)} />
        )}
      </OnceOpened>
      {dialogs.map(([about, Asked]) => (
        <OnceOpened key={about} isOpen={userOf(about) !== null}>
          {(isOpen) => <Asked user={isOpen ? userOf(about) : null} onClose={close} />}
        </OnceOpened>
      ))}
    </>
  );
}

interface UserRowProps {
  readonly user: User;
  readonly onEdit: () => void;
  readonly onAsk: (about: About) => void;
}

function UserRow({ user, onEdit, onAsk }: UserRowProps) {
  const { session, accounts } = usePlace();
  const isOwn = user.id === session.user.id;
  const account = accounts.find(({ id }) => id === user.account_id)?.name;
  return (
    <tr data-link>
      <td className="cell-long">
        <span className="row">
          <button
            type="button"
            className="link strong cell-name cut"
            title={user.email}
            onClick={onEdit}
          >
            {user.email}
          </button>
          {isOwn && <span className="small">you</span>}
          {user.has_second_factor && (
            <IconShieldLock size={16} role="img" aria-label="with a second factor" />
          )}
        </span>
      </td>
      <td className="secondary user-fact">{roleWords[user.role].name}</td>
      <td className="secondary user-fact cell-long">
        <div className="cut" title={account}>
          {account ?? 'All'}
        </div>
      </td>
      <td className="first-end">
        <StateBadge user={user} />
      </td>
      <td className="secondary user-fact" data-name="Second factor">
        {user.has_second_factor ? 'On' : 'Off'}
      </td>
      <td className="end quiet user-fact" data-name="Last sign-in">
        {user.last_sign_in_at ? <Moment at={user.last_sign_in_at} /> : 'Never'}
      </td>
      <td className="end row-menu">
        <ActionMenu name={`Actions for ${user.email}`}>
          {(Menu) => (
            <>
              <Menu.Item onClick={onEdit}>Edit…</Menu.Item>
              <Menu.Item component={Link} to={addressOf('/audit-log', { user: user.id })}>
                What they did
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => onAsk('sessions')}>Sessions…</Menu.Item>
              <Menu.Item disabled={!user.active} onClick={() => onAsk('link')}>
                {user.has_password ? 'Make a reset link…' : 'Make a new invitation…'}
              </Menu.Item>
              {user.has_second_factor && !isOwn && (
                <Menu.Item onClick={() => onAsk('factor')}>Remove second factor…</Menu.Item>
              )}
              <Menu.Divider />
              <Menu.Item color="red" disabled={isOwn} onClick={() => onAsk('deletion')}>
                Delete…
              </Menu.Item>
            </>
          )}
        </ActionMenu>
      </td>
    </tr>
  );
}

/** Whether a user can sign in. */
function StateBadge({ user: { active, has_password } }: { user: User }) {
  if (!active) return <Badge look={{ tone: 'gray', icon: IconToggleLeft }} word="Inactive" />;
  return has_password ? (
    <Badge look={{ tone: 'green', icon: IconPointFilled }} word="Active" />
  ) : (
    <Badge look={{ tone: 'amber', icon: IconMail }} word="No password yet" />
  );
}
