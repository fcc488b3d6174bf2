import { Button, Select } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { ApiFailure, call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import { LeaveGuard } from '../parts/leave-guard.tsx';
import { useGuardedMutation } from '../parts/mutation.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { useWrongField } from '../parts/wrong-field.ts';
import { changersOnly } from '../session/changers.tsx';
import { usePlace } from '../session/session.tsx';
import { InShort } from './in-short.tsx';
import {
  bodyOf,
  type DraftFaults,
  faultsOf,
  fieldNames,
  goLiveDraft,
  type KeyDraft,
  newDraft,
} from './key-draft.ts';
import { KeyForm } from './key-form.tsx';
import { KeySecrets } from './key-secrets.tsx';

/** Makes a key: its attributes, then its secrets, once. */
export const NewKeyPage = changersOnly('Create an API key', NewKey);

function NewKey() {
  const { accountId, accounts, session } = usePlace();
  const reread = useReread();
  const isForGoLive = useSearch({ from: '/keys/new' }).for === 'go-live';
  const initial = isForGoLive ? goLiveDraft : newDraft;
  const [draft, setDraft] = useState<KeyDraft>(initial);
  const [account, setAccount] = useState(accountId);
  // A field shows its error once the user has left it, or has tried to continue.
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<DraftFaults>({});
  const wrongField = useWrongField();
  const create = useGuardedMutation({
    mutationFn: async () =>
      (
        await call('POST', '/api-keys', null, {
          ...bodyOf(draft),
          ...(account && session.user.role === 'operator' && { account_id: account }),
        })
      ).data,
    onSuccess: () => reread(['keys']),
    onError: (error) => {
      setRefused(refusedFields(error));
      wrongField.lead();
    },
  });
  if (create.data) return <KeySecrets created={create.data} isForGoLive={isForGoLive} />;
  const faults = { ...faultsOf(draft), ...refused };
  const shown = Object.fromEntries(Object.entries(faults).filter(([field]) => touched.has(field)));
  const count = Object.keys(shown).length;
  const change = (changed: Partial<KeyDraft>) => {
    // What was said of the last try is not about this draft any more.
    if (create.isError) create.reset();
    setDraft({ ...draft, ...changed });
    setTouched(new Set([...touched, ...Object.keys(changed)]));
    setRefused(
      Object.fromEntries(Object.entries(refused).filter(([field]) => !(field in changed))),
    );
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTouched(new Set(Object.keys(newDraft)));
    if (Object.keys(faults).length === 0) create.mutate();
    else wrongField.lead();
  };
  const failure = create.error && Object.keys(refused).length === 0 && !create.isPending;
  return (
    <>
      <PageHeader title="Create an API key" crumb={<Link to="/keys">API keys</Link>} />
      <div className="columns">
        <form
          ref={wrongField.form}
          className="card"
          style={{ overflow: 'visible' }}
          onSubmit={submit}
          noValidate
        >
          {accounts.length > 1 && (
            <div className="form-group">
              <Select
                label="Account"
                description="Whose number it sends from"
                data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
                value={account}
                onChange={setAccount}
              />
            </div>
          )}
          <KeyForm draft={draft} faults={shown} isNew onChange={change} />
          <div className="form-foot">
            {(count > 0 || failure) && (
              <span className="wrong" role="alert">
                {failure
                  ? `${create.error.message} No key was created.`
                  : `${count} ${count === 1 ? 'field needs' : 'fields need'} a change`}
              </span>
            )}
            <Button component={Link} to="/keys">
              Cancel
            </Button>
            <Button type="submit" variant="filled" loading={create.isPending} disabled={count > 0}>
              Create key
            </Button>
          </div>
        </form>
        <InShort draft={draft} />
      </div>
      <LeaveGuard
        isAtStake={JSON.stringify(draft) !== JSON.stringify(initial)}
        title="Leave without the key?"
        leave="Discard key"
      >
        The key is not created yet.
      </LeaveGuard>
    </>
  );
}

/** The API's own refusals, at the fields of the form. */
export function refusedFields(error: Error): DraftFaults {
  if (!(error instanceof ApiFailure)) return {};
  if (error.code === 'NAME_TAKEN') return { name: 'This account has a key with this name.' };
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([path, fault]) => {
      const field = fieldNames[path.split(/[[.]/, 1)[0] ?? ''];
      return field ? [[field, fault]] : [];
    }),
  );
}
