import {
  Checkbox,
  Input,
  NumberInput,
  SegmentedControl,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { newApiKeyLimits } from '../api/limits/new-api-key.ts';
import { eventLines, permissionLines } from '../parts/permissions.ts';
import { sendingWords } from '../session/destination.ts';
import { usePlace } from '../session/session.tsx';
import { addressFault } from './address-fault.ts';
import { ExpiryInput } from './expiry-input.tsx';
import { type DraftFaults, type KeyDraft } from './key-draft.ts';

interface KeyFormProps {
  readonly draft: KeyDraft;
  readonly faults: DraftFaults;
  /** The mode of a key that exists stays. */
  readonly isNew: boolean;
  readonly onChange: (change: Partial<KeyDraft>) => void;
}

/** Alerts go to endpoints of the whole account, which this form does not make. */
const keyEventLines = eventLines.filter(({ name }) => !name.startsWith('alert.'));

/** Every attribute of a key, in five groups. */
export function KeyForm({ draft, faults, isNew, onChange }: KeyFormProps) {
  const { session } = usePlace();
  return (
    <>
      <div className="form-group">
        <h2>What it is for</h2>
        <div className="form-pair">
          <TextInput
            label="Name"
            description="Unique in this account"
            value={draft.name}
            error={faults.name}
            data-autofocus
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Description"
            description="Optional. Who uses it, and where"
            value={draft.description}
            error={faults.description}
            onChange={(event) => onChange({ description: event.currentTarget.value })}
          />
        </div>
        {isNew && (
          <div>
            <div className="strong" id="mode-label" style={{ marginBottom: 4 }}>
              Mode
            </div>
            <SegmentedControl
              aria-labelledby="mode-label"
              data={[
                { value: 'live', label: 'Live' },
                { value: 'test', label: 'Test', disabled: !session.simulator },
              ]}
              value={draft.mode}
              onChange={(value) => onChange({ mode: value === 'test' ? 'test' : 'live' })}
            />
            <p className="small" style={{ marginTop: 6 }}>
              {sendingWords(draft.mode, session)} The mode can’t be changed later.
            </p>
          </div>
        )}
      </div>
      <PermissionGroup draft={draft} faults={faults} onChange={onChange} />
      <div className="form-group">
        <div>
          <h2>Limits</h2>
          <p className="secondary">Requests over a limit are refused with 429 and are not sent.</p>
        </div>
        <div className="form-pair">
          <NumberInput
            label="Per minute"
            description="Default 60"
            max={newApiKeyLimits.rate_limit_per_minute.maximum}
            value={draft.perMinute}
            error={faults.perMinute}
            onChange={(perMinute) => onChange({ perMinute })}
          />
          <NumberInput
            label="Per day (UTC)"
            description="Default 10,000"
            max={newApiKeyLimits.daily_limit.maximum}
            value={draft.perDay}
            error={faults.perDay}
            onChange={(perDay) => onChange({ perDay })}
          />
          <ExpiryInput
            value={draft.expiresAt}
            error={faults.expiresAt}
            onChange={(expiresAt) => onChange({ expiresAt })}
          />
        </div>
      </div>
      <div className="form-group">
        <h2>Security</h2>
        <TagsInput
          label="Allowed addresses"
          description="Addresses or ranges such as 198.51.100.0/24. Leave empty to allow any."
          splitChars={[',', ' ', ';']}
          acceptValueOnBlur
          value={draft.addresses}
          error={faults.addresses}
          onChange={(addresses) => onChange({ addresses: addresses.map((each) => each.trim()) })}
          renderPill={({ value, option, onRemove }) => {
            const address = option?.label ?? value ?? '';
            return (
              <span className="pill" data-wrong={addressFault(address) !== null}>
                {address}
                <button type="button" aria-label={`Remove ${address}`} onClick={onRemove}>
                  <IconX size={13} />
                </button>
              </span>
            );
          }}
        />
        <div className="lines">
          <SwitchLine
            name="Require signed requests"
            text="Every request needs X-Timestamp and X-Signature. A stolen key alone is useless."
            checked={draft.requireSignature}
            onChange={(requireSignature) => onChange({ requireSignature })}
          />
          <SwitchLine
            name="WhatsApp’s own API"
            text="For programs that speak only that, such as chatwoot: they use this key as their token and /graph as their base address."
            checked={draft.graphAccess}
            fault={faults.graphAccess}
            onChange={(graphAccess) => onChange({ graphAccess })}
          />
          <SwitchLine
            name="Active"
            text="Off: the key is refused until you switch it on."
            checked={draft.active}
            onChange={(active) => onChange({ active })}
          />
        </div>
      </div>
      <div className="form-group">
        <div>
          <h2>Webhook</h2>
          <p className="secondary">Where replies and status changes are posted, signed.</p>
        </div>
        <TextInput
          label="URL"
          type="url"
          placeholder="https://"
          value={draft.webhookUrl}
          error={faults.webhookUrl}
          onChange={(event) => onChange({ webhookUrl: event.currentTarget.value })}
        />
        <Checkbox.Group
          aria-label="Events"
          value={draft.events}
          error={faults.events}
          onChange={(events) => onChange({ events })}
        >
          <div className="row wrap" style={{ gap: 24 }}>
            {keyEventLines.map(({ name, tells }) => (
              <Checkbox
                key={name}
                value={name}
                size="xs"
                label={<code style={{ fontSize: 13 }}>{name}</code>}
                description={tells}
              />
            ))}
          </div>
        </Checkbox.Group>
        <div className="lines">
          <SwitchLine
            name="Event feed"
            text="For programs that nobody can reach: they read the events with GET /events. Needs view_messages. Switching it off empties it."
            checked={draft.eventFeed}
            onChange={(eventFeed) => onChange({ eventFeed })}
          />
        </div>
      </div>
    </>
  );
}

function PermissionGroup({ draft, faults, onChange }: Omit<KeyFormProps, 'isNew'>) {
  const all = permissionLines.map(({ name }) => name);
  return (
    <div className="form-group">
      <div className="spread">
        <div>
          <h2>Permissions</h2>
          <p className="secondary">Grant only what the program needs. You can change this later.</p>
        </div>
        <button
          type="button"
          className="filter-add"
          style={{ border: 0, color: 'var(--accent-text)', flex: 'none', whiteSpace: 'nowrap' }}
          onClick={() => onChange({ permissions: all })}
        >
          Select all
        </button>
      </div>
      <Checkbox.Group
        aria-label="Permissions"
        value={draft.permissions}
        error={faults.permissions}
        onChange={(permissions) => onChange({ permissions })}
      >
        <div className="lines">
          {permissionLines.map(({ name, allows }) => (
            <label key={name} className="line" htmlFor={`permission-${name}`}>
              <Checkbox value={name} size="xs" id={`permission-${name}`} />
              <code>{name}</code>
              <span className="quiet">{allows}</span>
            </label>
          ))}
        </div>
      </Checkbox.Group>
    </div>
  );
}

interface SwitchLineProps {
  readonly name: string;
  readonly text: string;
  readonly checked: boolean;
  readonly fault?: string | undefined;
  readonly onChange: (checked: boolean) => void;
}

function SwitchLine({ name, text, checked, fault, onChange }: SwitchLineProps) {
  return (
    <div className="line-switch spread">
      <div>
        <div className="strong" style={{ fontSize: 13 }}>
          {name}
        </div>
        <div className="small">{text}</div>
        {fault && <Input.Error>{fault}</Input.Error>}
      </div>
      <Switch
        aria-label={name}
        aria-invalid={fault !== undefined}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}
