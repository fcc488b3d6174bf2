import { Button, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiFailure, call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { NewUser, NewUserAnswer, Role, User } from '../api/types.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { useGuardedMutation } from '../parts/mutation.ts';
import { SecretValue } from '../parts/secret-value.tsx';
import { TypedModal } from '../parts/typed-modal.tsx';
import { useWrongField } from '../parts/wrong-field.ts';
import { NewPassword } from '../session/new-password.tsx';
import { OwnPassword } from '../session/own-password.tsx';
import { roleWords } from '../session/role-words.ts';
import { usePlace } from '../session/session.tsx';
import { userFaults } from './user-faults.ts';

/** The least first. */
const offeredRoles: readonly Role[] = ['viewer', 'administrator', 'operator'];

interface UserFormProps {
  /** The user to change, or that it is a new one; null: the form is closed. */
  readonly subject: User | 'new' | null;
  readonly onClose: () => void;
}

const linkOf = (answer: Partial<NewUserAnswer>) => answer.invite_link;

/** Makes a user or changes one, in a dialog. */
export function UserForm({ subject, onClose }: UserFormProps) {
  // The dialog keeps its words while it fades.
  const [shown, setShown] = useState(subject);
  if (subject !== null && subject !== shown) setShown(subject);
  return (
    <TypedModal
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
    </TypedModal>
  );
}

function Form({ user, onClose }: { user: User | null; onClose: () => void }) {
  const { accounts, session } = usePlace();
  const reread = useReread();
  const [email, setEmail] = useState(user?.email ?? '');
  const [password, setPassword] = useState('');
  const [current, setCurrent] = useState('');
  const [isInvited, setIsInvited] = useState(user === null);
  const [role, setRole] = useState<Role>(user?.role ?? 'administrator');
  const [account, setAccount] = useState(user?.account_id ?? accounts[0]?.id ?? null);
  const [active, setActive] = useState(user?.active ?? true);
  const isOwn = user?.id === session.user.id;
  const takesPassword = isOwn && (password !== '' || email !== user.email);
  const save = useGuardedMutation({
    mutationFn: () => {
      const body = {
        email,
        role,
        ...(!isInvited && { active }),
        account_id: role === 'operator' ? null : account,
        ...(password && !isInvited && { password }),
        ...(takesPassword && { current_password: current }),
      };
      return user
        ? call('PATCH', '/users/{id}', { id: user.id }, body)
        : call('POST', '/users', null, body as NewUser);
    },
    onSuccess: async ({ data }) => {
      await reread(['users']);
      // The link is shown here, and nowhere else.
      if (linkOf(data) === undefined) onClose();
    },
  });
  const failure = save.error instanceof ApiFailure ? save.error : null;
  const emailTaken = failure?.code === 'NAME_TAKEN';
  // A field shows what is wrong once the user has tried to go on.
  const [isTried, setTried] = useState(false);
  const faults = userFaults({
    email,
    password: isInvited ? '' : password,
    current: takesPassword ? current : null,
    needsPassword: user === null && !isInvited,
    account: role === 'operator' ? undefined : account,
  });
  const { form, lead } = useWrongField<HTMLDivElement>();
  const go = () => {
    setTried(true);
    if (Object.keys(faults).length > 0) lead();
    else save.mutate();
  };
  const isElsewhere = !emailTaken && failure && Object.keys(failure.fields).length === 0;
  const link = save.data && linkOf(save.data.data);
  if (link !== undefined) return <Invitation email={email} link={link} onClose={onClose} />;
  return (
    <DialogForm
      isHeld={isInvited && save.isPending}
      go={user ? 'Save changes' : isInvited ? 'Invite user' : 'Create user'}
      isPending={save.isPending}
      error={isElsewhere ? failure : null}
      onKeep={onClose}
      onGo={go}
    >
      <div className="stack" ref={form}>
        <TextInput
          label="Email address"
          type="email"
          autoComplete="off"
          data-autofocus
          value={email}
          error={
            (isTried && faults.email) ||
            (emailTaken ? 'There is a user with this email address.' : failure?.fields.email)
          }
          onChange={(event) => setEmail(event.currentTarget.value.trim())}
        />
        {user === null && (
          <SegmentedControl
            aria-label="How the user gets a password"
            fullWidth
            data={[
              { value: 'link', label: 'Invite by a link' },
              { value: 'password', label: 'Set a password' },
            ]}
            value={isInvited ? 'link' : 'password'}
            onChange={(value) => setIsInvited(value === 'link')}
          />
        )}
        {isInvited ? (
          <p className="small">
            You get a link, once, and hand it over. The user sets a password there within 24 hours.
          </p>
        ) : (
          <NewPassword
            label="Password"
            description={
              user
                ? 'Leave blank to keep. A new password signs the user out everywhere.'
                : undefined
            }
            value={password}
            error={(isTried && faults.password) || failure?.fields.password}
            onChange={setPassword}
          />
        )}
        {takesPassword && (
          <OwnPassword
            value={current}
            error={failure}
            fault={isTried ? faults.current : undefined}
            isFirst={false}
            onChange={setCurrent}
          />
        )}
        <div>
          <div className="strong" id="role-label" style={{ marginBottom: 4 }}>
            Role
          </div>
          <SegmentedControl
            aria-labelledby="role-label"
            fullWidth
            disabled={isOwn}
            data={offeredRoles.map((value) => ({ value, label: roleWords[value].name }))}
            value={role}
            onChange={(value) => setRole(offeredRoles.find((each) => each === value) ?? 'viewer')}
          />
          <p className="small" style={{ marginTop: 6 }}>
            {roleWords[role].text}
          </p>
        </div>
        {role !== 'operator' && (
          <Select
            label="Account"
            data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
            value={account}
            error={(isTried && faults.account) || failure?.fields.account_id}
            onChange={setAccount}
          />
        )}
        {!isInvited && (
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
        )}
      </div>
    </DialogForm>
  );
}

interface InvitationProps {
  readonly email: string;
  readonly link: string;
  readonly onClose: () => void;
}

/** The link of a user who was just made. */
function Invitation({ email, link, onClose }: InvitationProps) {
  return (
    <div className="stack">
      <p role="status">{email} is a user now, and signs in once a password is set.</p>
      <div className="new-secret">
        <SecretValue
          name="Invitation link"
          purpose="Hand it over on a safe way. It works once, within 24 hours, and is not shown again."
          value={link}
          isMain
        />
      </div>
      <div className="row question-buttons">
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  );
}
