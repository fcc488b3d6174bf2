import { NumberInput } from '@mantine/core';
import type { AccountDraft, AccountFaults, LimitField } from './account-draft.ts';

interface AccountLimitsFieldsProps {
  readonly draft: AccountDraft;
  readonly shown: (field: LimitField) => AccountFaults[LimitField];
  readonly onChange: (changed: Partial<AccountDraft>) => void;
}

const inputs: readonly [field: LimitField, label: string, description: string][] = [
  ['limits_keys', 'Keys', 'Revoked ones do not count; empty: no limit'],
  ['limits_endpoints', 'Webhooks', 'All that have an address; empty: no limit'],
  ['limits_rate_limit_per_minute', 'Requests per minute', 'Of each key; empty: no limit'],
  ['limits_daily_limit', 'Requests per day', 'Of each key; empty: no limit'],
];

/** How much the account may have. */
export function AccountLimitsFields({ draft, shown, onChange }: AccountLimitsFieldsProps) {
  return (
    <div className="form-group">
      <div>
        <h2>Limits</h2>
        <p className="secondary">
          How much administrators and operators can make of each. What the account already has
          stays, even if it is more.
        </p>
      </div>
      <div className="form-pair">
        {inputs.map(([field, label, description]) => (
          <NumberInput
            key={field}
            label={label}
            description={description}
            value={draft[field]}
            error={shown(field)}
            onChange={(value) => onChange({ [field]: value })}
          />
        ))}
      </div>
    </div>
  );
}
