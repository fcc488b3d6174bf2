import { type Column, type ExportedList, exportName } from '../http/list-export.js';
import type { DeliveryDto, DeliveryListDto } from './deliveries.dto.js';

type Row = DeliveryDto;

const lastOf = ({ attempts }: Row) => attempts.at(-1);

const columns: readonly Column<Row>[] = [
  { name: 'id', cell: (row) => row.id },
  { name: 'webhook_id', cell: (row) => row.webhook_id },
  { name: 'created_at', cell: (row) => row.created_at },
  { name: 'event', cell: (row) => row.event },
  { name: 'status', cell: (row) => row.status },
  // A number or a user id; neither is a formula.
  { name: 'user', cell: (row) => row.user, isPhone: true },
  { name: 'summary', cell: (row) => row.summary },
  { name: 'message_id', cell: (row) => row.message_id },
  { name: 'mode', cell: (row) => row.mode },
  { name: 'account_id', cell: (row) => row.account_id },
  { name: 'api_key_id', cell: (row) => row.api_key_id },
  { name: 'api_key_name', cell: (row) => row.api_key_name },
  { name: 'endpoint_id', cell: (row) => row.endpoint_id },
  { name: 'endpoint_name', cell: (row) => row.endpoint_name },
  { name: 'attempts', cell: (row) => row.attempts.length },
  { name: 'last_url', cell: (row) => lastOf(row)?.url },
  { name: 'last_status_code', cell: (row) => lastOf(row)?.status_code },
  { name: 'error', cell: (row) => row.error },
  { name: 'next_attempt_at', cell: (row) => row.next_attempt_at },
  { name: 'finished_at', cell: (row) => row.finished_at },
];

/** What a filter shows, as a file. */
export const deliveryExport = (
  filter: DeliveryListDto,
  readPage: ExportedList<Row>['readPage'],
): ExportedList<Row> => ({
  name: exportName('deliveries', [
    filter.status,
    filter.event,
    filter.phone,
    filter.mode,
    filter.account_id,
    filter.key_id,
    filter.endpoint_id,
    filter.message_id,
    filter.from,
    filter.to,
  ]),
  columns,
  readPage,
});
