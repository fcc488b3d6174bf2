import { Modal, PasswordInput, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiFailure, call, pathTo } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Role, User } from '../api/types.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { useMutation } from '../parts/mutation.ts';
import { OwnPassword } from '../session/own-password.tsx';
import { usePlace } from '../session/session.tsx';

const passwordMin = 12;

interface UserFormProps {
  /** The user to change, or that it is a new one; null: the form is closed. */
  readonly subject: User | 'new' | null;
  readonly onClose: () => void;
}

/** Makes a user or changes one, in a dialog. */
export function UserForm({ subject, onClose }: UserFormProps) {
  // The dialog keeps its words while it fades.
  const [shown, setShown] = useState(subject);
  if (subject !== null && subject !== shown) setShown(subject);
  return (
    <Modal
      opened={subject !== null}
      onClose={onClose}
      title={shown === 'new' ? 'Create a user' : shown && `Edit ${shown.email}`}
    >
      {shown && (
        <Form
          key={shown === 'new' ? 'new' : shown.id}
          user={shown === 'new' ? null : shown}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

function Form({ user, onClose }: { user: User | null; onClose: () => void }) {
  const { accounts, session } = usePlace();
  const reread = useReread();
  const [email, setEmail] = useState(user?.email ?? '');
  const [password, setPassword] = useState('');
  const [current, setCurrent] = useState('');
  const [role, setRole] = useState<Role>(user?.role ?? 'administrator');
  const [account, setAccount] = useState(user?.account_id ?? accounts[0]?.id ?? null);
  const [active, setActive] = useState(user?.active ?? true);
  const isOwn = user?.id === session.user.id;
  const takesPassword = isOwn && (password !== '' || email !== user.email);
  const save = useMutation({
    mutationFn: () => {
      const body = {
        email,
        role,
        active,
        account_id: role === 'administrator' ? account : null,
        ...(password && { password }),
        ...(takesPassword && { current_password: current }),
      };
      return user ? call('PATCH', pathTo`/users/${user.id}`, body) : call('POST', '/users', body);
    },
    onSuccess: async () => {
      await reread(['users']);
      onClose();
    },
  });
  const failure = save.error instanceof ApiFailure ? save.error : null;
  const emailTaken = failure?.code === 'NAME_TAKEN';
  const passwordLength = Array.from(password).length;
  const isShort = password !== '' && passwordLength < passwordMin;
  const isReady =
    email.includes('@') &&
    !isShort &&
    (!takesPassword || current !== '') &&
    (user !== null || password !== '') &&
    (role === 'operator' || account !== null);
  const isElsewhere = !emailTaken && failure && Object.keys(failure.fields).length === 0;
  return (
    <DialogForm
      keep="Cancel"
      go={user ? 'Save changes' : 'Create user'}
      isReady={isReady}
      isPending={save.isPending}
      error={isElsewhere ? failure : null}
      onKeep={onClose}
      onGo={() => save.mutate()}
    >
      <TextInput
        label="Email address"
        type="email"
        autoComplete="off"
        data-autofocus
        value={email}
        error={emailTaken ? 'There is a user with this email address.' : failure?.fields.email}
        onChange={(event) => setEmail(event.currentTarget.value.trim())}
      />
      <PasswordInput
        label="Password"
        description={
          user
            ? 'Leave blank to keep. A new password signs the user out everywhere.'
            : 'At least 12 characters'
        }
        autoComplete="new-password"
        value={password}
        error={
          isShort
            ? `At least ${passwordMin} characters; this has ${passwordLength}.`
            : failure?.fields.password
        }
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
      {takesPassword && (
        <OwnPassword value={current} error={failure} isFirst={false} onChange={setCurrent} />
      )}
      <div>
        <div className="strong" id="role-label" style={{ marginBottom: 4 }}>
          Role
        </div>
        <SegmentedControl
          aria-labelledby="role-label"
          fullWidth
          disabled={isOwn}
          data={[
            { value: 'administrator', label: 'Administrator' },
            { value: 'operator', label: 'Operator' },
          ]}
          value={role}
          onChange={(value) => setRole(value === 'operator' ? 'operator' : 'administrator')}
        />
        <p className="small" style={{ marginTop: 6 }}>
          {role === 'operator'
            ? 'Runs the installation: accounts, users and every key.'
            : 'Manages one account: its keys, mappings, messages and webhooks.'}
        </p>
      </div>
      {role === 'administrator' && (
        <Select
          label="Account"
          data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
          value={account}
          error={failure?.fields.account_id}
          onChange={setAccount}
        />
      )}
      <div className="spread">
        <div>
          <div className="strong">Active</div>
          <div className="small">
            {isOwn
              ? 'You cannot switch yourself off.'
              : 'Off: signed out everywhere at once and cannot sign in.'}
          </div>
        </div>
        <Switch
          aria-label="Active"
          checked={active}
          disabled={isOwn}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
      </div>
    </DialogForm>
  );
}
