import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { addressOf } from '../api/client.ts';
import { keyQuery } from '../api/key-queries.ts';
import type { ApiKey } from '../api/types.ts';
import { LeaveGuard } from '../parts/leave-guard.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useWrongField } from '../parts/wrong-field.ts';
import { changersOnly } from '../session/changers.tsx';
import { InShort } from './in-short.tsx';
import { useKeyChange } from './key-changes.ts';
import { bodyOf, type DraftFaults, draftOf, faultsOf, type KeyDraft } from './key-draft.ts';
import { KeyForm } from './key-form.tsx';
import { refusedFields } from './new-key-page.tsx';
import { NoKey } from './no-key.tsx';

/** Changes a key that exists. */
export const EditKeyPage = changersOnly('Edit key', EditKey);

function EditKey() {
  const { keyId } = useParams({ from: '/keys/$keyId/edit' });
  const key = useQuery(keyQuery(keyId));
  if (key.data) return <EditForm key={keyId} apiKey={key.data} />;
  return <NoKey query={key} />;
}

function EditForm({ apiKey }: { apiKey: ApiKey }) {
  const navigate = useNavigate();
  const change = useKeyChange(apiKey.id);
  const [before] = useState<KeyDraft>(() => draftOf(apiKey));
  const [draft, setDraft] = useState(before);
  const [refused, setRefused] = useState<DraftFaults>({});
  const wrongField = useWrongField();
  const faults: DraftFaults = { ...faultsOf(draft), ...refused };
  // A key that has expired may keep its date while something else is changed.
  if (draft.expiresAt === apiKey.expires_at) delete faults.expiresAt;
  const count = Object.keys(faults).length;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (count > 0) return;
    const { mode: _mode, expires_at: expiresAt, ...body } = bodyOf(draft);
    const toSend = expiresAt === apiKey.expires_at ? body : { ...body, expires_at: expiresAt };
    change.mutate(toSend, {
      onSuccess: () =>
        void navigate({ to: '/keys/$keyId', params: { keyId: apiKey.id }, ignoreBlocker: true }),
      onError: (error) => {
        setRefused(refusedFields(error));
        wrongField.lead();
      },
    });
  };
  return (
    <>
      <PageHeader
        title={`Edit ${apiKey.name}`}
        crumb={
          <Link to="/keys/$keyId" params={{ keyId: apiKey.id }} title={apiKey.name}>
            {apiKey.name}
          </Link>
        }
        sentence="Changes apply from the next request."
      />
      <div className="columns">
        <form
          ref={wrongField.form}
          className="card"
          style={{ overflow: 'visible' }}
          onSubmit={submit}
          noValidate
        >
          <KeyForm
            draft={draft}
            faults={faults}
            isNew={false}
            onChange={(changed) => {
              if (change.isError) change.reset();
              setDraft({ ...draft, ...changed });
              setRefused({});
            }}
          />
          <div className="form-foot">
            {(count > 0 || change.isError) && (
              <span className="wrong" role="alert">
                {count > 0
                  ? `${count} ${count === 1 ? 'field needs' : 'fields need'} a change`
                  : `${change.error?.message} Nothing was changed.`}
              </span>
            )}
            <Button component={Link} to={addressOf('/keys/{id}', { id: apiKey.id })}>
              Cancel
            </Button>
            <Button type="submit" variant="filled" loading={change.isPending} disabled={count > 0}>
              Save changes
            </Button>
          </div>
        </form>
        <InShort draft={draft} />
      </div>
      <LeaveGuard
        isAtStake={JSON.stringify(draft) !== JSON.stringify(before)}
        title={`Leave “${apiKey.name}” as it was?`}
        leave="Discard changes"
      >
        The changes on this page are not saved yet.
      </LeaveGuard>
    </>
  );
}
