import { FileInput, Modal, Progress, SegmentedControl, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, withQuery } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { ConsentResult, ConsentScope, ConsentState, Mode } from '../api/types.ts';
import { Table } from '../lists/table.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import { Notice } from '../parts/notice.tsx';
import { counted } from '../parts/numbers.ts';
import { scopeWords, stateWords } from './consent-badges.tsx';
import { type ConsentFile, readConsentFile, withDefaults } from './consent-csv.ts';

interface ImportConsentsProps {
  readonly accountId: string | null;
  readonly onClose: () => void;
}

/** Rows in one request; with the longest evidence they stay below what the API takes. */
const rowsAtOnce = 300;
const faultsShown = 50;
const fileMaxBytes = 20 * 1024 * 1024;

/** Imports consents from a CSV file. */
export function ImportConsents({ accountId, onClose }: ImportConsentsProps) {
  const reread = useReread();
  const [file, setFile] = useState<ConsentFile | null>(null);
  const [mode, setMode] = useState<Mode>('live');
  const [scope, setScope] = useState<ConsentScope>('marketing');
  const [state, setState] = useState<ConsentState>('opted_out');
  const [results, setResults] = useState<readonly ConsentResult[]>([]);
  const send = useMutation({
    mutationFn: async ({ items }: ConsentFile) => {
      const rows = withDefaults(items, { scope, state });
      const path = withQuery('/contacts/consent/import', { account_id: accountId, mode });
      // After a failure it goes on where it was.
      for (let from = results.length; from < rows.length; from += rowsAtOnce) {
        const { data } = await call<{ results: ConsentResult[] }>('POST', path, {
          items: rows.slice(from, from + rowsAtOnce),
        });
        const numbered = data.results.map((result) => ({ ...result, index: from + result.index }));
        setResults((before) => [...before, ...numbered]);
      }
    },
    onSettled: () => reread(['contacts'], ['contact']),
  });
  const choose = async (chosen: File | null) => {
    send.reset();
    setResults([]);
    if (chosen === null) return setFile(null);
    if (chosen.size > fileMaxBytes) {
      return setFile({ ...noFile, fault: 'The file is larger than 20 MB; split it.' });
    }
    setFile(readConsentFile(await chosen.text()));
  };
  const total = file?.items.length ?? 0;
  const isBegun = send.isPending || results.length > 0;
  return (
    <Modal opened onClose={onClose} title="Import consent" size="lg">
      <DialogForm
        keep={send.isSuccess ? 'Done' : 'Cancel'}
        go={send.isError ? 'Go on' : `Import ${total > 0 ? counted(total, 'row') : ''}`.trim()}
        isReady={file !== null && file.fault === null && !send.isSuccess}
        isPending={send.isPending}
        error={send.error}
        effect={`${counted(results.length, 'row')} of ${total} done; the rest is not.`}
        onKeep={onClose}
        onGo={() => file && send.mutate(file)}
      >
        <FileInput
          label="CSV file"
          description="The first line names the columns: phone or user_id, and if you have them scope, state, source, evidence."
          accept=".csv,text/csv"
          placeholder="Choose a file"
          clearable
          clearButtonProps={{ 'aria-label': 'Remove the file' }}
          disabled={send.isPending}
          error={file?.fault}
          onChange={(chosen) => void choose(chosen)}
        />
        {file && file.fault === null && (
          <>
            {file.ignored.length > 0 && (
              <p className="secondary">Not imported: {file.ignored.join(', ')}.</p>
            )}
            {!file.has.includes('state') && (
              <SegmentedControl
                fullWidth
                aria-label="What these contacts said"
                disabled={isBegun}
                data={choicesOf(stateWords)}
                value={state}
                onChange={setState}
              />
            )}
            {!file.has.includes('scope') && (
              <SegmentedControl
                fullWidth
                aria-label="Of what"
                disabled={isBegun}
                data={choicesOf(scopeWords)}
                value={scope}
                onChange={setScope}
              />
            )}
            <Select
              label="Contacts of"
              disabled={isBegun}
              data={[
                { value: 'live', label: 'Live keys' },
                { value: 'test', label: 'Test keys' },
              ]}
              value={mode}
              onChange={(value) => setMode(value === 'test' ? 'test' : 'live')}
            />
          </>
        )}
        {isBegun && <Outcome results={results} total={total} isDone={send.isSuccess} />}
      </DialogForm>
    </Modal>
  );
}

const noFile: ConsentFile = { items: [], has: [], ignored: [], fault: null };

const choicesOf = <Word extends string>(words: Readonly<Record<Word, string>>) =>
  (Object.keys(words) as Word[]).map((value) => ({ value, label: words[value] }));

interface OutcomeProps {
  readonly results: readonly ConsentResult[];
  readonly total: number;
  readonly isDone: boolean;
}

/** How far the import is, and what it could not take. */
function Outcome({ results, total, isDone }: OutcomeProps) {
  const count = (status: ConsentResult['status']) =>
    results.filter((result) => result.status === status).length;
  const faults = results.filter(({ status }) => status === 'invalid');
  return (
    <div className="stack" aria-live="polite">
      {!isDone && <Progress value={(100 * results.length) / total} aria-label="Rows done" />}
      <Notice tone={faults.length > 0 ? 'amber' : 'green'} role="status">
        {counted(count('stored'), 'row')} recorded, {count('unchanged')} known already,{' '}
        {faults.length} invalid.
      </Notice>
      {faults.length > 0 && (
        <Table heads={['Row', 'What is wrong']}>
          {faults.slice(0, faultsShown).map(({ index, error }) => (
            <tr key={index}>
              <td>{index + 2}</td>
              <td className="second">
                {Object.entries(error ?? {})
                  .map(([field, fault]) => `${field} ${fault}`)
                  .join('; ')}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {faults.length > faultsShown && (
        <p className="secondary">
          The first {faultsShown} of {faults.length} are shown.
        </p>
      )}
    </div>
  );
}
