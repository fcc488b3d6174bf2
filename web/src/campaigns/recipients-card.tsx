import { useDidUpdate } from '@mantine/hooks';
import { IconUsers } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type RecipientFilter, recipientsQuery } from '../api/campaign-queries.ts';
import { useReread } from '../api/reread.ts';
import type { Campaign, CampaignRecipient } from '../api/types.ts';
import { CodeFilter } from '../lists/code-filter.tsx';
import { ExportMenu } from '../lists/export-menu.tsx';
import { fewDigits } from '../lists/few-digits.ts';
import { ListFoot } from '../lists/list-foot.tsx';
import { NoMatch } from '../lists/no-match.tsx';
import { SearchField } from '../lists/search-field.tsx';
import { Table } from '../lists/table.tsx';
import { unreadOf } from '../lists/unread-filters.ts';
import { UnreadLine } from '../lists/unread-line.tsx';
import { Card } from '../parts/card.tsx';
import { meaningOf } from '../parts/failure-meanings.ts';
import { Moment } from '../parts/moment.tsx';
import { amount } from '../parts/numbers.ts';
import { ListState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { wordOf } from '../parts/status-badge.tsx';
import { zoneName } from '../parts/zone.ts';
import { RecipientBadge } from './campaign-badges.tsx';
import { lastChangeOf, skipWordsOf } from './campaign-words.ts';
import { recipientStatuses } from './progress.ts';

/** Whom the campaign is for, and what became of each. */
export function RecipientsCard({ campaign }: { campaign: Campaign }) {
  const { id, counts, status: state } = campaign;
  const search = useSearch({ from: '/campaigns/$campaignId' });
  const navigate = useNavigate({ from: '/campaigns/$campaignId' });
  // The address may hold unknown filter values; the page says which.
  const status = recipientStatuses.find((each) => each === search.status);
  const code = search.code && /^\d{1,6}$/.test(search.code) ? search.code : undefined;
  const filter: RecipientFilter = {
    ...(status && { status }),
    ...(code && { code: Number(code) }),
    ...(search.q && { q: search.q }),
  };
  const recipients = useInfiniteQuery(recipientsQuery(campaign, filter));
  const reread = useReread();
  // What stands above the list and beside the page changed: both follow, at once.
  useDidUpdate(() => void reread(['campaign', id, 'recipients'], ['campaigns']), [state]);
  useDidUpdate(() => {
    if (recipients.data?.pages.length === 1) void recipients.refetch();
  }, [JSON.stringify(counts)]);
  const choices = [
    undefined,
    ...recipientStatuses.filter((each) => counts[each] > 0 || each === status),
  ];
  const rows = recipients.data?.pages.flatMap((page) => page.recipients) ?? [];
  const isFiltered = Object.keys(filter).length > 0;
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...next }, replace: true, resetScroll: false });
  return (
    <Card
      title="Recipients"
      aside={<ExportMenu path="/campaigns/{id}/recipients" asked={() => ({ id, ...filter })} />}
    >
      <div className="filters campaign-filters">
        <SearchField
          label="Number, name or reference"
          value={search.q ?? ''}
          onSearch={(q) => change({ q: q || undefined })}
        />
        <fieldset className="segments">
          <legend className="unseen">Recipients to show</legend>
          {choices.map((choice) => (
            <button
              key={choice ?? 'all'}
              type="button"
              aria-pressed={choice ? status === choice : status === undefined && code === undefined}
              onClick={() => change({ status: choice, code: undefined })}
            >
              {choice ? `${wordOf(choice)} ${amount(counts[choice])}` : 'All'}
            </button>
          ))}
        </fieldset>
        <CodeFilter value={code} onChange={(next) => change({ code: next })} />
      </div>
      {code && (
        <p className="match-line" aria-live="polite">
          {code}: {meaningOf(code, 'template')}
        </p>
      )}
      <UnreadLine
        unread={unreadOf({ status: search.status, code: search.code }, { status, code })}
      />
      <StaleNotice query={recipients} />
      <div className="table-box">
        <ListState
          query={recipients}
          rows={rows}
          empty={
            isFiltered ? (
              <NoMatch
                title="No recipient matches"
                advice={fewDigits(search.q)}
                searched={
                  search.q &&
                  'numbers in any notation and their last four digits, words of contacts’ names, beginnings of references as they are written, user ids'
                }
                filters={[
                  search.q && `“${search.q}”`,
                  status && wordOf(status),
                  code && `error code ${code}`,
                ]}
                onClear={() => change({ q: undefined, status: undefined, code: undefined })}
              />
            ) : (
              {
                icon: IconUsers,
                title: 'No recipient yet',
                sentence:
                  campaign.status === 'draft'
                    ? 'Continue editing to upload a file. Or let a program add them through the API, up to 1,000 with each request.'
                    : 'It ended before anybody was added.',
              }
            )
          }
        >
          {() => (
            <>
              <Table
                className="entries recipients-table"
                heads={[
                  'To',
                  'Status',
                  ['Reference', 'col-reference'],
                  [`Released (${zoneName()})`, 'end col-released'],
                  ['Last change', 'end'],
                ]}
              >
                {rows.map((recipient, index) => (
                  // In the order of the campaign, which never changes.
                  <Row key={index} recipient={recipient} />
                ))}
              </Table>
              <ListFoot shown={rows.length} query={recipients} more="Show more" />
            </>
          )}
        </ListState>
      </div>
    </Card>
  );
}

function Row({ recipient }: { recipient: CampaignRecipient }) {
  const { message_id: messageId, released_at: releasedAt, reason, error } = recipient;
  const name = recipient.to ?? recipient.to_user_id ?? '';
  const changedAt = lastChangeOf(recipient);
  const code = error?.whatsapp_error_code;
  const why = code === undefined ? reason : String(code);
  return (
    <tr data-link={messageId !== null}>
      <td className="cell-to">
        {messageId ? (
          <Link className="row-link strong cut" to="/messages/$messageId" params={{ messageId }}>
            {name}
          </Link>
        ) : (
          <span className="strong cut">{name}</span>
        )}
      </td>
      <td className="cell-state">
        <RecipientBadge status={recipient.status} />
        {why && (
          <div className="small recipient-why">
            {skipWordsOf(why) ?? meaningOf(why, 'template')}
            {skipWordsOf(why) === undefined && (
              <>
                {' '}
                <code>{why}</code>
              </>
            )}
          </div>
        )}
      </td>
      <td className="col-reference quiet mono cut">{recipient.reference}</td>
      <td className="end quiet col-released only-wide">
        {releasedAt ? <Moment at={releasedAt} /> : '–'}
      </td>
      <td className="end quiet">{changedAt ? <Moment at={changedAt} /> : '–'}</td>
    </tr>
  );
}
