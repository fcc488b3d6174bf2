import { type Column, type ExportedList, exportName } from '../http/list-export.js';
import type { CampaignRecipientViewDto, RecipientListDto } from './campaigns.dto.js';

type Row = CampaignRecipientViewDto;

const columns: readonly Column<Row>[] = [
  { name: 'to', cell: (row) => row.to, isPhone: true },
  { name: 'to_user_id', cell: (row) => row.to_user_id },
  { name: 'reference', cell: (row) => row.reference },
  { name: 'status', cell: (row) => row.status },
  { name: 'reason', cell: (row) => row.reason },
  { name: 'error_code', cell: (row) => row.error?.whatsapp_error_code },
  { name: 'message_id', cell: (row) => row.message_id },
  { name: 'released_at', cell: (row) => row.released_at },
  { name: 'sent_at', cell: (row) => row.sent_at },
  { name: 'delivered_at', cell: (row) => row.delivered_at },
  { name: 'read_at', cell: (row) => row.read_at },
  { name: 'failed_at', cell: (row) => row.failed_at },
];

/** The recipients of a campaign, as a file. */
export const recipientExport = (
  { status, code }: Pick<RecipientListDto, 'status' | 'code'>,
  readPage: ExportedList<Row>['readPage'],
): ExportedList<Row> => ({
  name: exportName('recipients', [status, code === undefined ? undefined : String(code)]),
  columns,
  readPage,
});
