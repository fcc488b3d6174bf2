import {
  Button,
  NumberInput,
  PasswordInput,
  Select,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Account } from '../api/types.ts';
import { LeaveGuard } from '../parts/leave-guard.tsx';
import { useGuardedMutation } from '../parts/mutation.ts';
import { useWrongField } from '../parts/wrong-field.ts';
import {
  type AccountDraft,
  type AccountFaults,
  accountChange,
  accountFaults,
  draftOfAccount,
  newAccountBody,
  newAccountDraft,
  refusedAccountFields,
} from './account-draft.ts';
import { AccountLimitsFields } from './account-limits-fields.tsx';

interface AccountFormProps {
  /** Null: a new one. */
  readonly account: Account | null;
  readonly onSaved: (account: Account) => void;
}

/** The id of the field for the access token. */
export const tokenField = 'access-token';

/** Every attribute of an account. Token and secret can be written here and read nowhere. */
export function AccountForm({ account, onSaved }: AccountFormProps) {
  const reread = useReread();
  const isNew = account === null;
  const initial = account ? draftOfAccount(account) : newAccountDraft;
  const [draft, setDraft] = useState<AccountDraft>(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<AccountFaults>({});
  const wrongField = useWrongField();
  const save = useGuardedMutation({
    mutationFn: async () => {
      const answer = isNew
        ? call('POST', '/accounts', null, newAccountBody(draft))
        : call('PATCH', '/accounts/{id}', { id: account.id }, accountChange(draft));
      return (await answer).data.account;
    },
    onSuccess: async (saved) => {
      await reread(['accounts']);
      setDraft(draftOfAccount(saved));
      setTouched(new Set());
      onSaved(saved);
    },
    onError: (error) => {
      setRefused(refusedAccountFields(error));
      wrongField.lead();
    },
  });
  const faults: AccountFaults = { ...accountFaults(draft, isNew), ...refused };
  const shown = (field: keyof AccountDraft) => (touched.has(field) ? faults[field] : undefined);
  const count = Object.keys(faults).filter((field) => touched.has(field)).length;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(initial);
  const change = (changed: Partial<AccountDraft>) => {
    save.reset();
    setDraft({ ...draft, ...changed });
    setTouched(new Set([...touched, ...Object.keys(changed)]));
    setRefused({});
  };
  const discard = () => {
    save.reset();
    setDraft(initial);
    setTouched(new Set());
    setRefused({});
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTouched(new Set(Object.keys(newAccountDraft)));
    if (Object.keys(accountFaults(draft, isNew)).length === 0) save.mutate();
    else wrongField.lead();
  };
  const isRefusedElsewhere = save.isError && Object.keys(refused).length === 0;
  return (
    <form ref={wrongField.form} className="card account-form" onSubmit={submit} noValidate>
      <LeaveGuard
        isAtStake={isChanged}
        title={isNew ? 'Leave without the account?' : `Leave “${account.name}” as it was?`}
        leave="Discard changes"
      >
        {isNew ? 'The account is not created yet.' : 'The changes on this page are not saved yet.'}
      </LeaveGuard>
      <div className="form-group">
        <h2>Business</h2>
        <div className="form-pair">
          <TextInput
            label="Name"
            description="What users see here; unique"
            value={draft.name}
            error={shown('name')}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Number"
            description="Full number with country code"
            placeholder="+44 20 7946 0182"
            value={draft.display_phone_number}
            error={shown('display_phone_number')}
            onChange={(event) => change({ display_phone_number: event.currentTarget.value })}
          />
        </div>
      </div>
      <div className="form-group">
        <div>
          <h2>At WhatsApp</h2>
          <p className="secondary">
            You find the ids in Meta’s app dashboard under WhatsApp › API Setup. Token and secret
            are stored encrypted and never shown again.
          </p>
        </div>
        <div className="form-pair">
          <TextInput
            label="Phone number id"
            description="The id of the number"
            inputMode="numeric"
            value={draft.phone_number_id}
            error={shown('phone_number_id')}
            onChange={(event) => change({ phone_number_id: event.currentTarget.value.trim() })}
          />
          <TextInput
            label="Business account id"
            description="The id of the WhatsApp account"
            inputMode="numeric"
            value={draft.business_account_id}
            error={shown('business_account_id')}
            onChange={(event) => change({ business_account_id: event.currentTarget.value.trim() })}
          />
          <PasswordInput
            id={tokenField}
            label="Access token"
            description={isNew ? 'A system user’s token that never expires' : 'Leave blank to keep'}
            autoComplete="off"
            value={draft.access_token}
            error={shown('access_token')}
            onChange={(event) => change({ access_token: event.currentTarget.value.trim() })}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
          />
          <PasswordInput
            label="App secret"
            description={isNew ? 'Verifies what WhatsApp reports' : 'Leave blank to keep'}
            autoComplete="off"
            value={draft.app_secret}
            error={shown('app_secret')}
            onChange={(event) => change({ app_secret: event.currentTarget.value.trim() })}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the secret' }}
          />
        </div>
        <div className="form-pair">
          <NumberInput
            label="Send rate limit"
            description="Messages per second; empty: no limit"
            value={draft.messages_per_second}
            error={shown('messages_per_second')}
            onChange={(messages_per_second) => change({ messages_per_second })}
          />
        </div>
        <div className="lines">
          <div className="line-switch spread">
            <div>
              <div className="strong">Active</div>
              <div className="small">Off: every key of the account gets ACCOUNT_NOT_ACTIVE.</div>
            </div>
            <Switch
              aria-label="Active"
              checked={draft.active}
              onChange={(event) => change({ active: event.currentTarget.checked })}
            />
          </div>
        </div>
      </div>
      <div className="form-group">
        <div>
          <h2>Opting out and in</h2>
          <p className="secondary">
            A message that is one of these words, and nothing else, is recorded as consent. Case,
            accents and punctuation do not matter. WhatsApp’s own <i>Stop promotions</i> button
            always counts.
          </p>
        </div>
        <div className="form-pair">
          <TagsInput
            label="Words to opt out"
            description="Press Enter after each"
            splitChars={[',']}
            acceptValueOnBlur
            value={draft.keywords_out}
            error={shown('keywords_out')}
            onChange={(keywords_out) => change({ keywords_out })}
          />
          <TagsInput
            label="Words to opt in"
            description="Press Enter after each"
            splitChars={[',']}
            acceptValueOnBlur
            value={draft.keywords_in}
            error={shown('keywords_in')}
            onChange={(keywords_in) => change({ keywords_in })}
          />
          <Select
            label="What they are about"
            data={[
              { value: 'marketing', label: 'Marketing templates' },
              { value: 'all', label: 'All templates but one-time codes' },
            ]}
            value={draft.keyword_scope}
            onChange={(value) => change({ keyword_scope: value === 'all' ? 'all' : 'marketing' })}
          />
        </div>
      </div>
      <AccountLimitsFields draft={draft} shown={shown} onChange={change} />
      <div className="form-foot">
        {(count > 0 || isRefusedElsewhere) && (
          <span className="wrong" role="alert">
            {isRefusedElsewhere
              ? `${save.error?.message} Nothing was changed.`
              : `${count} ${count === 1 ? 'field needs' : 'fields need'} a change`}
          </span>
        )}
        {save.isSuccess && !isChanged && <span role="status">Saved</span>}
        {isNew ? (
          <Button component={Link} to="/accounts">
            Cancel
          </Button>
        ) : (
          isChanged && <Button onClick={discard}>Discard changes</Button>
        )}
        <Button
          type="submit"
          variant="filled"
          loading={save.isPending}
          disabled={count > 0 || (!isNew && !isChanged)}
        >
          {isNew ? 'Create account' : 'Save changes'}
        </Button>
      </div>
    </form>
  );
}
