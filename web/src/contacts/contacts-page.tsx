import { Button } from '@mantine/core';
import { IconAddressBook, IconDownload, IconUpload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { addressOf } from '../api/client.ts';
import { type ContactFilter, contactsQuery } from '../api/message-queries.ts';
import type { ContactRow } from '../api/types.ts';
import { ChoiceFilter } from '../lists/choice-filter.tsx';
import { fewDigits } from '../lists/few-digits.ts';
import { ListFoot } from '../lists/list-foot.tsx';
import { NoMatch } from '../lists/no-match.tsx';
import { SearchField } from '../lists/search-field.tsx';
import { Table } from '../lists/table.tsx';
import { unreadOf } from '../lists/unread-filters.ts';
import { UnreadLine } from '../lists/unread-line.tsx';
import { atName, contactName } from '../parts/contact-name.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ModeBadge } from '../parts/status-badge.tsx';
import { ForChangers } from '../session/changers.tsx';
import { usePlace } from '../session/session.tsx';
import { OptedOutBadge } from './consent-badges.tsx';
import { columnsOf } from './contact-columns.ts';

const ImportConsents = lazyPart(() => import('./import-consents.tsx'), 'ImportConsents');

/** What each filter of opt-outs is called. */
const optOuts = [
  ['marketing', 'No marketing'],
  ['all', 'No templates'],
] as const;

/** Everybody who wrote to the account, got a message that WhatsApp reported about, or whose consent was recorded. */
export function ContactsPage() {
  const { accountId, accounts, mode } = usePlace();
  const search = useSearch({ from: '/contacts' });
  const navigate = useNavigate({ from: '/contacts' });
  const [isImporting, setImporting] = useState(false);
  // The address may hold unknown filter values; the page says which.
  const [optOut, optOutName] = optOuts.find(([each]) => each === search.opted_out) ?? [];
  const filter: ContactFilter = {
    ...(search.q && { search: search.q }),
    ...(mode && { mode }),
    ...(optOut && { opted_out: optOut }),
  };
  const contacts = useInfiniteQuery(contactsQuery(accountId, filter));
  const rows = contacts.data?.pages.flatMap((page) => page.contacts) ?? [];
  const columns = columnsOf(rows);
  const { hasPhone, hasUsername } = columns;
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changed }, replace: true });
  const isFiltered = search.q !== undefined || optOut !== undefined || mode === 'test';
  const needsAccount = accountId === null && accounts.length > 1;
  return (
    <>
      <PageHeader
        title="Contacts"
        sentence="The WhatsApp users whom this account knows: they wrote, WhatsApp reported about a message to them, or somebody recorded or imported their consent."
        actions={
          <>
            {needsAccount && (
              <span className="secondary">Choose an account to import or export</span>
            )}
            <ForChangers>
              <Button
                leftSection={<IconUpload size={16} />}
                disabled={needsAccount}
                onClick={() => setImporting(true)}
              >
                Import consent…
              </Button>
            </ForChangers>
            <Button
              component="a"
              leftSection={<IconDownload size={16} />}
              href={`/api/v1/dashboard${addressOf('/contacts/consent/export', { account_id: accountId, mode: filter.mode })}`}
              download
              {...(needsAccount && { 'data-disabled': true, 'aria-disabled': true })}
            >
              Export consent
            </Button>
          </>
        }
      />
      <StaleNotice query={contacts} />
      <div className="filters">
        <SearchField
          label="Number, name, username or user id"
          value={search.q ?? ''}
          onSearch={(q) => change({ q: q || undefined })}
        />
        <ChoiceFilter
          name="Opted out"
          choices={optOuts.map(([, name]) => name)}
          value={optOutName}
          isVerbatim
          any="Everybody"
          onChange={(word) => change({ opted_out: optOuts.find(([, name]) => name === word)?.[0] })}
        />
      </div>
      <UnreadLine unread={unreadOf({ opted_out: search.opted_out }, { opted_out: optOut })} />
      <div className="card table-box">
        <ListState
          query={contacts}
          rows={rows}
          empty={
            isFiltered ? (
              <NoMatch
                title="No contact matches"
                advice={fewDigits(search.q)}
                searched={
                  search.q &&
                  'numbers in any notation and their last four digits, words of names, beginnings of usernames, user ids'
                }
                filters={[
                  search.q && `“${search.q}”`,
                  optOutName,
                  mode === 'test' ? 'Test' : undefined,
                ]}
                onClear={() => void navigate({ search: mode ? { mode: 'both' } : {} })}
              />
            ) : (
              {
                icon: IconAddressBook,
                title: 'No contact yet',
                sentence: 'A contact appears with their first message, or when you record consent.',
              }
            )
          }
        >
          {() => (
            <>
              <Table
                className="entries contacts-table"
                heads={[
                  'Contact',
                  ...(hasPhone ? ['Phone'] : []),
                  ...(hasUsername ? ([['Username', 'col-type']] as const) : []),
                  'Consent',
                  ['Last wrote', 'end'],
                ]}
              >
                {rows.map((contact) => (
                  <Row key={contact.contact_id} contact={contact} columns={columns} />
                ))}
              </Table>
              <ListFoot shown={rows.length} query={contacts} more="Show more" />
            </>
          )}
        </ListState>
      </div>
      <Suspense fallback={null}>
        {isImporting && (
          <ImportConsents accountId={accountId} onClose={() => setImporting(false)} />
        )}
      </Suspense>
    </>
  );
}

interface RowProps {
  readonly contact: ContactRow;
  readonly columns: ReturnType<typeof columnsOf>;
}

function Row({ contact, columns: { hasPhone, hasUsername } }: RowProps) {
  const name = contactName(contact);
  return (
    <tr data-link>
      <td>
        <span className="row">
          <Link
            className="row-link cut"
            to="/contacts/$contactId"
            params={{ contactId: contact.contact_id }}
          >
            {name}
          </Link>
          <ModeBadge mode={contact.mode} />
        </span>
      </td>
      {/* A row shows the number once. A phone says nothing about what is not there. */}
      {hasPhone && (
        <td
          className={`cell-phone quiet ${name === contact.phone ? 'only-wide' : ''}`}
          style={{ whiteSpace: 'nowrap' }}
        >
          {name === contact.phone ? '' : (contact.phone ?? 'Hidden')}
        </td>
      )}
      {hasUsername && (
        <td className="col-type only-wide quiet cut">
          {contact.username && atName(contact.username)}
        </td>
      )}
      <td className={`cell-consent ${contact.opted_out ? '' : 'only-wide'}`}>
        {contact.opted_out ? (
          <OptedOutBadge scope={contact.opted_out} />
        ) : (
          <span className="quiet">–</span>
        )}
      </td>
      <td className="cell-wrote end quiet">
        <span className="only-narrow">Last wrote: </span>
        {contact.last_inbound_at ? <Moment at={contact.last_inbound_at} /> : 'Never'}
      </td>
    </tr>
  );
}
