import { type Column, type ExportedList, exportName } from '../http/list-export.js';
import type { AuditEntryDto, AuditListDto } from './audit-log.dto.js';

type Row = AuditEntryDto;

const columns: readonly Column<Row>[] = [
  { name: 'id', cell: (row) => row.id },
  { name: 'at', cell: (row) => row.at },
  { name: 'action', cell: (row) => row.action },
  { name: 'actor', cell: (row) => row.actor },
  { name: 'address', cell: (row) => row.address },
  { name: 'account_id', cell: (row) => row.account_id },
  { name: 'user_id', cell: (row) => row.user_id },
  { name: 'subject_type', cell: (row) => row.subject_type },
  { name: 'subject_id', cell: (row) => row.subject_id },
  { name: 'subject_name', cell: (row) => row.subject_name },
  { name: 'details', cell: (row) => JSON.stringify(row.details) },
];

/** What a filter shows, as a file. */
export const auditExport = (
  filter: AuditListDto,
  readPage: ExportedList<Row>['readPage'],
): ExportedList<Row> => ({
  name: exportName('audit-log', [
    filter.q,
    filter.action,
    filter.account_id,
    filter.user_id,
    filter.subject_id,
    filter.from,
    filter.to,
  ]),
  columns,
  readPage,
});
