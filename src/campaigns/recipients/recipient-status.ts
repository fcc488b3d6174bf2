/** What a recipient is: not released yet, left out, or what became of their message. */
export const recipientStatuses = [
  'pending',
  'released',
  'skipped',
  'cancelled',
  'sending',
  'unconfirmed',
  'sent',
  'delivered',
  'read',
  'failed',
] as const;

export type RecipientStatus = (typeof recipientStatuses)[number];

/** For the database: what a recipient `r` of the campaign `c` is, with its message `m`, if it is still there. */
export const recipientStatus = `
  case r.status
    when 'pending' then case when c.status = 'cancelled' then 'cancelled' else 'pending' end
    when 'skipped' then 'skipped'
    else coalesce(r.result->>'status',
      case coalesce(m.receipt, m.status) when 'queued' then 'released' else coalesce(m.receipt, m.status) end,
      'released') end`;

/** For the database: the message `m` of the recipient `r`, unless its result is kept. */
export const messageJoin = `
  left join messages m on m.id = r.message_id and r.result is null`;

/** For the database: the recipients of the campaign `c` by status, looked at one by one. */
export const countedRecipients = `(
  select coalesce(json_object_agg(s.status, s.count), '{}') from (
    select ${recipientStatus} as status, count(*)::int as count
    from campaign_recipients r ${messageJoin} where r.campaign_id = c.id group by 1) s)`;
