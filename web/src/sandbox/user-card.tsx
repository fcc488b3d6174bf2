import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { simulatorUserChangeLimits } from '../api/limits/simulator-user-change.ts';
import type { SimulatorUser } from '../api/types.ts';
import { ActionMenu } from '../parts/action-menu.tsx';
import { Card } from '../parts/card.tsx';
import { Fact } from '../parts/facts.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { ShortId } from '../parts/short-id.tsx';
import { useSimulatorUser, useUserChange } from './use-user-change.ts';

/** Who has the phone, as a business knows them, and what they can change of it. */
export function UserCard({ phone }: { phone: string }) {
  const { query, numberId } = useSimulatorUser(phone);
  const [isNaming, setIsNaming] = useState(false);
  const change = useUserChange(phone, numberId, () => setIsNaming(false));
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
            <Menu.Item
              onClick={() => change.mutate({ stopped_marketing: !user.stopped_marketing })}
            >
              {user.stopped_marketing ? 'Resume marketing messages' : 'Stop marketing messages'}
            </Menu.Item>
            {!user.signed_up && (
              <Menu.Item onClick={() => change.mutate({ signed_up: true })}>
                Sign up for marketing messages
              </Menu.Item>
            )}
            <Menu.Item onClick={() => change.mutate({ enforces_window: !user.enforces_window })}>
              {user.enforces_window ? 'Ignore 24-hour window' : 'Enforce 24-hour window'}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item onClick={() => change.mutate({ standby: !user.standby })}>
              {user.standby ? 'Answer yourself again' : 'Let Meta’s agent answer'}
            </Menu.Item>
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
          <Fact name="Marketing">{marketingState(user)}</Fact>
          <Fact name="Answers">{user.standby ? 'Meta’s agent' : 'Your program'}</Fact>
          <Fact name="24-hour window">{windowState(user)}</Fact>
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

function marketingState({ stopped_marketing: isStopped, signed_up }: SimulatorUser): string {
  if (isStopped) return 'Stopped';
  return signed_up ? 'Arrives, signed up' : 'Arrives';
}

function windowState({ window, enforces_window }: SimulatorUser): string {
  if (window === 'open') return 'Open';
  return enforces_window ? 'Closed: only templates arrive' : 'Closed, not enforced';
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
        maxLength={simulatorUserChangeLimits.username.maxLength}
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
