import type { Readable } from 'node:stream';
import { type Column, exportName, exportOf, exportTypeOf } from '../http/list-export.js';
import type { Reply, Request } from '../http/request.js';
import type { RecipientPage } from './campaign-recipients.service.js';
import type {
  CampaignRecipientsDto,
  CampaignRecipientViewDto,
  DashboardRecipientListDto,
} from './campaigns.dto.js';

const columns: readonly Column<CampaignRecipientViewDto>[] = [
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

/** Answers with a page of a campaign's recipients, or with all of them as a file where `Accept` asks for one. */
export function answerRecipients(
  list: (filter: RecipientPage) => Promise<CampaignRecipientsDto>,
  filter: DashboardRecipientListDto,
  request: Request,
  reply: Reply,
): Promise<CampaignRecipientsDto | Readable> {
  const type = exportTypeOf(request);
  if (!type) return list(filter);
  const { status, code, q } = filter;
  const file = {
    name: exportName('recipients', [status, code === undefined ? undefined : String(code)]),
    columns,
    readPage: async (limit: number, cursor = filter.cursor) => {
      const { recipients: rows, next_cursor } = await list({ status, code, q, limit, cursor });
      return { rows, next_cursor };
    },
  };
  return exportOf(file, type, reply);
}
