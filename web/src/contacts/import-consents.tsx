import { Checkbox, FileInput, Modal, Progress, SegmentedControl, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { ConsentResult, ConsentScope, ConsentState, Mode } from '../api/types.ts';
import { FormFields } from '../files/form-fields.tsx';
import { Table } from '../lists/table.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import { Notice } from '../parts/notice.tsx';
import { counted } from '../parts/numbers.ts';
import {
  type ConsentFile,
  type ConsentProblem,
  type ConsentReading,
  readConsentFile,
  refusedFile,
  withDefaults,
} from './consent-csv.ts';
import { scopeWords, stateWords } from './consent-words.ts';

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
  const [source, setSource] = useState<File | null>(null);
  const [reading, setReading] = useState<ConsentReading>({});
  const [file, setFile] = useState<ConsentFile | null>(null);
  const [mode, setMode] = useState<Mode>('live');
  const [scope, setScope] = useState<ConsentScope>('marketing');
  const [state, setState] = useState<ConsentState>('opted_out');
  const [results, setResults] = useState<readonly ConsentResult[]>([]);
  /** The reading that was asked for last. */
  const latest = useRef<ConsentReading | null>(null);
  const send = useMutation({
    mutationFn: async (chosen: ConsentFile) => {
      const rows = withDefaults(chosen.rows, { scope, state });
      const owner = { account_id: accountId, mode };
      // After a failure it goes on where it was.
      for (let from = results.length; from < rows.length; from += rowsAtOnce) {
        const { data } = await call('POST', '/contacts/consent/import', owner, {
          items: rows.slice(from, from + rowsAtOnce),
        });
        const numbered = data.results.map((result) => ({ ...result, index: from + result.index }));
        setResults((before) => [...before, ...numbered]);
      }
    },
    onSettled: () => reread(['contacts'], ['contact']),
  });
  const read = async (chosen: File, how: ConsentReading) => {
    setReading(how);
    latest.current = how;
    const found = await readConsentFile(chosen, how);
    // Somebody may have chosen another file or another way in the meantime.
    if (latest.current === how) setFile(found);
  };
  const choose = (chosen: File | null) => {
    send.reset();
    setResults([]);
    setSource(chosen);
    setFile(null);
    latest.current = null;
    if (chosen === null) return;
    if (chosen.size > fileMaxBytes) {
      return setFile(refusedFile('The file is larger than 20 MB; split it.'));
    }
    void read(chosen, {});
  };
  const readAgain = (change: ConsentReading) => {
    if (source) void read(source, { ...reading, ...change });
  };
  const total = file?.rows.length ?? 0;
  const isBegun = send.isPending || results.length > 0;
  return (
    <Modal opened onClose={onClose} title="Import consent" size="lg">
      <DialogForm
        keep={send.isSuccess ? 'Done' : undefined}
        go={send.isError ? 'Go on' : `Import ${total > 0 ? counted(total, 'row') : ''}`.trim()}
        isReady={file !== null && file.fault === null && total > 0 && !send.isSuccess}
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
          onChange={choose}
        />
        {file?.form && (
          <>
            <FormFields form={file.form} isOff={isBegun} onChoose={readAgain} />
            <Checkbox
              label="Numbers without + begin with their country code"
              description="Without this, such numbers are errors."
              disabled={isBegun}
              checked={reading.hasBareCodes === true}
              onChange={(event) => readAgain({ hasBareCodes: event.currentTarget.checked })}
            />
          </>
        )}
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
        {file && isBegun && <Outcome file={file} results={results} isDone={send.isSuccess} />}
        {file && !isBegun && file.problems.length > 0 && (
          <div className="stack" aria-live="polite">
            <Notice tone="amber" role="status">
              {counted(file.problems.length, 'row')} with errors, which stay behind.
            </Notice>
            <Problems problems={file.problems} />
          </div>
        )}
      </DialogForm>
    </Modal>
  );
}

const choicesOf = <Word extends string>(words: Readonly<Record<Word, string>>) =>
  (Object.keys(words) as Word[]).map((value) => ({ value, label: words[value] }));

interface OutcomeProps {
  readonly file: ConsentFile;
  readonly results: readonly ConsentResult[];
  readonly isDone: boolean;
}

/** How far the import is, and what it could not take. */
function Outcome({ file, results, isDone }: OutcomeProps) {
  const count = (status: ConsentResult['status']) =>
    results.filter((result) => result.status === status).length;
  const total = file.rows.length;
  const refused = results.flatMap(({ index, status, error }): ConsentProblem[] => {
    if (status !== 'invalid') return [];
    const words = Object.entries(error ?? {}).map(([field, fault]) => `${field} ${fault}`);
    return [{ line: file.rows[index]?.line ?? 0, what: words.join('; ') }];
  });
  const faults = [...file.problems, ...refused].toSorted((one, other) => one.line - other.line);
  return (
    <div className="stack" aria-live="polite">
      {!isDone && <Progress value={(100 * results.length) / total} aria-label="Rows done" />}
      <Notice tone={faults.length > 0 ? 'amber' : 'green'} role="status">
        {counted(count('stored'), 'row')} recorded, {count('unchanged')} known already,{' '}
        {faults.length} invalid.
      </Notice>
      {faults.length > 0 && <Problems problems={faults} />}
    </div>
  );
}

function Problems({ problems }: { readonly problems: readonly ConsentProblem[] }) {
  return (
    <>
      <Table heads={['Line', 'What is wrong']}>
        {problems.slice(0, faultsShown).map(({ line, what }) => (
          <tr key={line}>
            <td>{line}</td>
            <td className="second">{what}</td>
          </tr>
        ))}
      </Table>
      {problems.length > faultsShown && (
        <p className="secondary">
          The first {faultsShown} of {problems.length} are shown.
        </p>
      )}
    </>
  );
}
