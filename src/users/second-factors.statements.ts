import { statement } from '../database/statements/statement.js';

export const beginSecondFactor = statement({
  name: 'begin-second-factor',
  params: { userId: 'uuid', secret: 'text' },
  text: `
  update users set totp_secret = :secret, totp_used_step = null
  where id = :userId and totp_confirmed_at is null`,
});

export const lockPendingFactor = statement({
  name: 'lock-pending-factor',
  params: { userId: 'uuid' },
  columns: { totp_secret: 'text' },
  text: `
  select totp_secret from users
  where id = :userId and totp_secret is not null and totp_confirmed_at is null for update`,
});

export const confirmSecondFactor = statement({
  name: 'confirm-second-factor',
  params: { userId: 'uuid', step: 'int8' },
  text: 'update users set totp_confirmed_at = now(), totp_used_step = :step where id = :userId',
});

export const lockSecondFactor = statement({
  name: 'lock-second-factor',
  params: { userId: 'uuid' },
  columns: { totp_secret: 'text?' },
  text: `
  select totp_secret from users where id = :userId and totp_confirmed_at is not null for update`,
});

export const takeTotpStep = statement({
  name: 'take-totp-step',
  params: { userId: 'uuid', step: 'int8' },
  text: `
  update users set totp_used_step = :step
  where id = :userId and (totp_used_step is null or totp_used_step < :step)`,
});

export const clearSecondFactor = statement({
  name: 'clear-second-factor',
  params: { userId: 'uuid' },
  text: `
  update users set totp_secret = null, totp_confirmed_at = null, totp_used_step = null
  where id = :userId and totp_confirmed_at is not null`,
});

export const addRecoveryCodes = statement({
  name: 'add-recovery-codes',
  params: { userId: 'uuid', digests: 'bytea[]' },
  text: 'insert into recovery_codes (user_id, digest) select :userId, unnest(:digests::bytea[])',
});

export const takeRecoveryCode = statement({
  name: 'take-recovery-code',
  params: { userId: 'uuid', digest: 'bytea' },
  text: 'delete from recovery_codes where user_id = :userId and digest = :digest',
});

export const countRecoveryCodes = statement({
  name: 'count-recovery-codes',
  params: { userId: 'uuid' },
  columns: { count: 'int4' },
  text: 'select count(*)::int from recovery_codes where user_id = :userId',
});

export const removeRecoveryCodes = statement({
  name: 'remove-recovery-codes',
  params: { userId: 'uuid' },
  text: 'delete from recovery_codes where user_id = :userId',
});
