import { type Column, type ExportedList, exportName } from '../http/list-export.js';
import type { LoggedRequestDto, RequestListDto } from './request-log.dto.js';

type Row = LoggedRequestDto;

const columns: readonly Column<Row>[] = [
  { name: 'request_id', cell: (row) => row.request_id },
  { name: 'at', cell: (row) => row.at },
  { name: 'method', cell: (row) => row.method },
  { name: 'route', cell: (row) => row.route },
  { name: 'status', cell: (row) => row.status },
  { name: 'code', cell: (row) => row.code },
  { name: 'fields', cell: (row) => row.fields.join(' ') },
  { name: 'api_key_id', cell: (row) => row.api_key_id },
  { name: 'api_key_name', cell: (row) => row.api_key_name },
  { name: 'account_id', cell: (row) => row.account_id },
  { name: 'mode', cell: (row) => row.mode },
  { name: 'address', cell: (row) => row.address },
  { name: 'latency_ms', cell: (row) => row.latency_ms },
  { name: 'message_id', cell: (row) => row.message_id },
  { name: 'calls', cell: (row) => row.calls },
];

/** What a filter shows, as a file. */
export const requestExport = (
  filter: RequestListDto,
  readPage: ExportedList<Row>['readPage'],
): ExportedList<Row> => ({
  name: exportName('requests', [
    filter.status,
    filter.code,
    filter.route,
    filter.refused === undefined ? undefined : filter.refused === 'true' ? 'refused' : 'accepted',
    filter.mode,
    filter.account_id,
    filter.key_id,
    filter.address,
    filter.request_id,
    filter.from,
    filter.to,
  ]),
  columns,
  readPage,
});
