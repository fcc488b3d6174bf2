import { statement } from '../database/statements/statement.js';

/** Whether a text has the part that is sought. */
export const hasPart = (text: string) => `position(plain_name(:part) in plain_name(${text})) > 0`;

/** Ids and times of the API: the console shows names for them, and times in another form. */
const unshown = '^([0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}|\\d{4}-\\d\\d-\\d\\dT.*Z)$';

/** Whether one of the values in the details has the part. An account may be one that the reader does not see. */
export const hasDetail = (details: string) => `exists (
  select from jsonb_path_query(${details} - 'account_id', '$.**') value
  where jsonb_typeof(value) in ('string', 'number') and value #>> '{}' !~ '${unshown}' and ${hasPart(`value #>> '{}'`)})`;

/** Whether one of the fields was changed. */
export const changesField = (details: string) => `exists (
  select from jsonb_each(${details}) field
  where field.key = any (:fields) and (field.value ? 'from' or field.value = '"changed"'))`;

/** Where details name an endpoint. Entries of its own have its id as their own. */
const endpointIdOf = (details: string) =>
  `coalesce(${details} ->> 'endpoint_id', ${details} -> 'filter' ->> 'endpoint_id', ${details} ->> 'id')`;

/** Whether the details name a key or an endpoint whose name or address has the part. */
export const namesOther = (details: string) => `(
  ${endpointIdOf(details)} in (select e.id::text from webhook_endpoints e where ${hasPart('e.url')} or ${hasPart('e.name')})
  or coalesce(${details} ->> 'api_key_id', ${details} -> 'filter' ->> 'key_id') in (
    select k.id::text from api_keys k where ${hasPart('k.name')}))`;

export const listNamedEndpoints = statement({
  name: 'list-endpoints-of-audit-log',
  params: { ids: 'uuid[]' },
  columns: { id: 'uuid', name: 'text', url: 'text?' },
  text: 'select e.id, e.name, e.url from webhook_endpoints e where e.id = any (:ids::uuid[])',
});
