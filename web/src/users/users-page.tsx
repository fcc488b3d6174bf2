import '../styles/manage.css';
import { Button, Menu, TextInput } from '@mantine/core';
import { IconPlus, IconPointFilled, IconToggleLeft, IconUsers } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { usersQuery } from '../api/queries.ts';
import { useReread } from '../api/reread.ts';
import type { User } from '../api/types.ts';
import { Table } from '../lists/table.tsx';
import { ActionMenu } from '../parts/action-menu.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState } from '../parts/query-state.tsx';
import { Question } from '../parts/question.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { Badge } from '../parts/status-badge.tsx';
import { operatorsOnly } from '../session/operators-only.tsx';
import { usePlace } from '../session/session.tsx';
import { UserForm } from './user-form.tsx';

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
      <UserForm subject={subject} onClose={() => setSubject(null)} />
      <Deletion user={leaving} onClose={() => setLeaving(null)} />
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
          <Menu.Item onClick={onEdit}>Edit…</Menu.Item>
          <Menu.Item component={Link} to={`/audit-log?user=${user.id}`}>
            What they did
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" disabled={isOwn} onClick={onDelete}>
            Delete…
          </Menu.Item>
        </ActionMenu>
      </td>
    </tr>
  );
}

function Deletion({ user, onClose }: { user: User | null; onClose: () => void }) {
  const reread = useReread();
  const [shown, setShown] = useState(user);
  const [typed, setTyped] = useState('');
  if (user !== null && user !== shown) {
    setShown(user);
    setTyped('');
  }
  const deletion = useMutation({
    mutationFn: (id: string) => call('DELETE', `/users/${id}`),
    onSuccess: async () => {
      await reread(['users']);
      onClose();
    },
  });
  return (
    <Question
      isAsked={user !== null}
      title={`Delete “${shown?.email}”?`}
      keep="Keep user"
      go="Delete user"
      isDestructive
      isReady={typed === shown?.email}
      isPending={deletion.isPending}
      error={deletion.error}
      onKeep={onClose}
      onGo={() => shown && deletion.mutate(shown.id)}
    >
      <p>
        They are signed out everywhere at once and cannot sign in again. Their actions stay in the
        audit log.
      </p>
      <TextInput
        label={`Type “${shown?.email}” to confirm`}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Question>
  );
}
