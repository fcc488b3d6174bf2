import '../styles/manage.css';
import { Button } from '@mantine/core';
import { IconPlus, IconPointFilled, IconToggleLeft, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usersQuery } from '../api/queries.ts';
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
const UserDeletion = lazyPart(() => import('./user-deletion.tsx'), 'UserDeletion');

/** The users of the dashboard. */
export const UsersPage = operatorsOnly('Users', Users);

function Users() {
  const users = useQuery(usersQuery);
  const [subject, setSubject] = useState<User | 'new' | null>(null);
  const [leaving, setLeaving] = useState<User | null>(null);
  return (
    <>
      <PageHeader
        title="Users"
        sentence="Operators run the installation; administrators manage one account."
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
              heads={['Email address', 'Role', 'Account', 'State', ['Created', 'end']]}
              unseenHead="Actions"
            >
              {shown.map((user) => (
                <UserRow
                  key={user.id}
                  user={user}
                  onEdit={() => setSubject(user)}
                  onDelete={() => setLeaving(user)}
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
      <OnceOpened isOpen={leaving !== null}>
        {(isOpen) => (
          <UserDeletion user={isOpen ? leaving : null} onClose={() => setLeaving(null)} />
        )}
      </OnceOpened>
    </>
  );
}

interface UserRowProps {
  readonly user: User;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

function UserRow({ user, onEdit, onDelete }: UserRowProps) {
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
        </span>
      </td>
      <td className="secondary user-fact">
        {user.role === 'operator' ? 'Operator' : 'Administrator'}
      </td>
      <td className="secondary user-fact cell-long">
        <div className="cut" title={account}>
          {account ?? 'All'}
        </div>
      </td>
      <td className="first-end">
        {user.active ? (
          <Badge look={{ tone: 'green', icon: IconPointFilled }} word="Active" />
        ) : (
          <Badge look={{ tone: 'gray', icon: IconToggleLeft }} word="Inactive" />
        )}
      </td>
      <td className="end quiet only-wide">
        <Moment at={user.created_at} />
      </td>
      <td className="end row-menu">
        <ActionMenu name={`Actions for ${user.email}`}>
          {(Menu) => (
            <>
              <Menu.Item onClick={onEdit}>Edit…</Menu.Item>
              <Menu.Item component={Link} to={`/audit-log?user=${user.id}`}>
                What they did
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item color="red" disabled={isOwn} onClick={onDelete}>
                Delete…
              </Menu.Item>
            </>
          )}
        </ActionMenu>
      </td>
    </tr>
  );
}
