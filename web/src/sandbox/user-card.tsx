import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { call } from '../api/client.ts';
import { conversationQuery, simulatorUserQuery } from '../api/queries.ts';
import { useReread } from '../api/reread.ts';
import type { SimulatorUser } from '../api/types.ts';
import { ActionMenu } from '../parts/action-menu.tsx';
import { Card } from '../parts/card.tsx';
import { Fact } from '../parts/facts.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { ShortId } from '../parts/short-id.tsx';
import { usePlace } from '../session/session.tsx';

/** What the user does to who they are. */
type Change = { readonly hides_phone: boolean } | { readonly username: string | null } | 'new id';

/** Who has the phone, as a business knows them, and what they can change of it. */
export function UserCard({ phone }: { phone: string }) {
  const { accountId } = usePlace();
  const reread = useReread();
  const query = useQuery(simulatorUserQuery(phone));
  const turns = useQuery(conversationQuery(accountId, phone)).data?.messages;
  const [isNaming, setIsNaming] = useState(false);
  const numberId = turns?.at(-1)?.phone_number_id;
  const change = useMutation({
    mutationFn: (given: Change) =>
      given === 'new id'
        ? call('POST', '/simulator/user/new-id', {
            phone,
            ...(numberId && { phone_number_id: numberId }),
          })
        : call('PUT', '/simulator/user', { phone, ...given }),
    onSuccess: async () => {
      await reread(['simulator-user']);
      setIsNaming(false);
    },
  });
  const user = query.data;
  return (
    <Card
      title="User"
      aside={
        user && (
          <ActionMenu name="Change the user">
            <Menu.Item onClick={() => change.mutate({ hides_phone: !user.hides_phone })}>
              {user.hides_phone ? 'Show number' : 'Hide number'}
            </Menu.Item>
            <Menu.Item
              onClick={() => {
                change.reset();
                setIsNaming(true);
              }}
            >
              {user.username === null ? 'Set username…' : 'Change username…'}
            </Menu.Item>
            {user.username !== null && (
              <Menu.Item onClick={() => change.mutate({ username: null })}>
                Clear username
              </Menu.Item>
            )}
            <Menu.Divider />
            <Menu.Item onClick={() => change.mutate('new id')}>Get new user id</Menu.Item>
          </ActionMenu>
        )
      }
    >
      {!user ? (
        <QueryState query={query} />
      ) : (
        <dl className="facts card-body">
          <Fact name="User id">
            <ShortId id={user.user_id} name="user id" />
          </Fact>
          <Fact name="Username">{user.username ?? <span className="secondary">None</span>}</Fact>
          <Fact name="Number">
            {user.hides_phone ? 'Hidden from businesses' : 'Businesses see it'}
          </Fact>
        </dl>
      )}
      {change.error && !isNaming && (
        <p className="sandbox-user-fault small wrong" role="alert">
          {change.error.message} Nothing was changed.
        </p>
      )}
      {user && (
        <Modal opened={isNaming} onClose={() => setIsNaming(false)} title="Change username">
          <UsernameForm
            user={user}
            isBusy={change.isPending}
            error={change.error}
            onCancel={() => setIsNaming(false)}
            onSave={(username) => change.mutate({ username })}
          />
        </Modal>
      )}
    </Card>
  );
}

interface UsernameFormProps {
  readonly user: SimulatorUser;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onCancel: () => void;
  readonly onSave: (username: string | null) => void;
}

/** Asks for a username; an empty one takes it away. */
function UsernameForm({ user, isBusy, error, onCancel, onSave }: UsernameFormProps) {
  const [username, setUsername] = useState(user.username ?? '');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSave(username.trim() || null);
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Username"
        description="Businesses get it with messages. Leave it empty for none."
        placeholder="@mia"
        maxLength={64}
        autoComplete="off"
        data-autofocus
        value={username}
        error={error && `${error.message} Nothing was changed.`}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <div className="row sandbox-foot">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="filled" loading={isBusy}>
          Save username
        </Button>
      </div>
    </form>
  );
}
