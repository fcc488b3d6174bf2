import { type Column, type ExportedList, exportName } from '../../http/list-export.js';
import type { DashboardMessageDto, DashboardMessageListDto } from './account-messages.dto.js';

type Row = DashboardMessageDto;

const columns: readonly Column<Row>[] = [
  { name: 'message_id', cell: (row) => row.message_id },
  { name: 'created_at', cell: (row) => row.created_at },
  { name: 'status', cell: (row) => row.status },
  { name: 'to', cell: (row) => row.to, isPhone: true },
  { name: 'to_user_id', cell: (row) => row.to_user_id },
  { name: 'type', cell: (row) => row.type },
  { name: 'text', cell: (row) => row.text },
  { name: 'reference', cell: (row) => row.reference },
  { name: 'mode', cell: (row) => row.mode },
  { name: 'account_id', cell: (row) => row.account_id },
  { name: 'api_key_id', cell: (row) => row.api_key_id },
  { name: 'api_key_name', cell: (row) => row.api_key_name },
  { name: 'platform_message_id', cell: (row) => row.platform_message_id },
  { name: 'error_code', cell: ({ error }) => error?.whatsapp_error_code },
  { name: 'error_reason', cell: ({ error }) => error?.reason },
  { name: 'error_message', cell: ({ error }) => error?.message },
  { name: 'sent_at', cell: (row) => row.sent_at },
  { name: 'delivered_at', cell: (row) => row.delivered_at },
  { name: 'read_at', cell: (row) => row.read_at },
  { name: 'failed_at', cell: (row) => row.failed_at },
  { name: 'campaign_name', cell: (row) => row.campaign_name },
  { name: 'recipient_name', cell: (row) => row.recipient_name },
];

/** What a filter shows, as a file. */
export const messageExport = (
  filter: DashboardMessageListDto,
  readPage: ExportedList<Row>['readPage'],
): ExportedList<Row> => ({
  name: exportName('messages', [
    filter.status,
    filter.error_code,
    filter.resent && (filter.resent === 'true' ? 'resent' : 'not-resent'),
    filter.type,
    filter.mode,
    filter.to,
    filter.to_user_id,
    filter.reference,
    filter.account_id,
    filter.key_id,
    filter.created_after ?? filter.from,
    filter.created_before,
  ]),
  columns,
  readPage,
});
