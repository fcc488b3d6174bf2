import { Button, FileButton, Progress } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FormFields } from '../../files/form-fields.tsx';
import { amount, counted } from '../../parts/numbers.ts';
import { duration } from '../../parts/times.ts';
import { sampleFile } from './problem-file.ts';
import type { Variable } from './recipient-lines.ts';
import type { UploadMemory } from './upload-memory.ts';
import type { ChosenFile, RecipientFile } from './use-recipient-file.ts';
import type { Upload } from './use-upload.ts';

interface FileCardProps {
  readonly picked: RecipientFile;
  readonly variables: readonly Variable[];
  readonly memory: UploadMemory | null;
  readonly upload: Upload | null;
  /** Recipients that the campaign has. */
  readonly total: number;
  readonly onUpload: () => void;
  readonly onStop: () => void;
}

const recipientsMax = 100_000;

/** The file of recipients: chosen, looked at, uploaded. */
export function FileCard(props: FileCardProps) {
  const { picked, variables, memory, upload, total, onUpload, onStop } = props;
  const { chosen, report, fault, seen } = picked;
  const isRunning = upload?.state === 'running';
  const choose = (label: string, isMain: boolean) => (
    <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={picked.choose}>
      {(button) => (
        <Button {...button} disabled={isRunning} variant={isMain ? 'filled' : 'default'}>
          {label}
        </Button>
      )}
    </FileButton>
  );
  if (!chosen) {
    return (
      <section className="card" aria-label="File">
        <div className="card-body draft-file">
          <IconFileTypeCsv size={28} stroke={1.5} aria-hidden="true" />
          <div className="grow">
            <h2>
              {total === 0 ? 'A CSV file of recipients' : `${counted(total, 'recipient')} so far`}
            </h2>
            <p className="secondary">
              {memory && !memory.isDone ? (
                <>
                  The upload of <b>{memory.name}</b> has not come to its end. Choose the file again
                  to go on after line {amount(memory.line)}.
                </>
              ) : (
                'One line for each person, at most 100,000. The first line names the columns: a phone number with its country code, and one for each variable.'
              )}
            </p>
            {fault && (
              <p className="wrong" role="alert">
                {fault}
              </p>
            )}
            <div className="row wrap draft-file-buttons">
              {choose(total === 0 ? 'Choose a file' : 'Choose a file again', total === 0)}
              <Button
                component="a"
                variant="subtle"
                download="recipients.csv"
                href={URL.createObjectURL(sampleFile(variables))}
              >
                An example
              </Button>
            </div>
          </div>
        </div>
      </section>
    );
  }
  const { file, form } = chosen;
  const seenWords = report
    ? `${counted(report.lines, 'line')} · `
    : seen > 0
      ? `${counted(seen, 'line')} so far · `
      : '';
  return (
    <section className="card" aria-label="File">
      <div className="card-head">
        <h2 className="row draft-file-name">
          <IconFileTypeCsv size={20} stroke={1.65} aria-hidden="true" />
          <span className="cut">{file.name}</span>
        </h2>
        {choose('Change file', false)}
      </div>
      <div className="card-body">
        <p className="small draft-file-form">
          {seenWords}
          {sizeOf(file.size)}
        </p>
        <FormFields
          form={form}
          isOff={isRunning || upload !== null || chosen.done.line > 0}
          onChoose={picked.setForm}
        />
        {fault ? (
          <p className="wrong" role="alert">
            {fault}
          </p>
        ) : upload ? (
          <UploadState upload={upload} good={report?.good ?? 0} onGoOn={onUpload} onStop={onStop} />
        ) : report ? (
          <ReadyState
            good={report.good - chosen.uploaded}
            chosen={chosen}
            isDone={memory?.isDone === true && chosen.done.line > 0}
            room={recipientsMax - total}
            onUpload={onUpload}
          />
        ) : (
          <p className="secondary" role="status">
            {seen === 0 ? 'Choose the columns below.' : 'Looking at its lines.'}
          </p>
        )}
      </div>
    </section>
  );
}

interface ReadyStateProps {
  readonly good: number;
  readonly chosen: ChosenFile;
  readonly isDone: boolean;
  /** How many the campaign can still take. */
  readonly room: number;
  readonly onUpload: () => void;
}

function ReadyState({ good, chosen, isDone, room, onUpload }: ReadyStateProps) {
  const { file, instead } = chosen;
  const after = chosen.done.line;
  if (isDone) return <p className="secondary">All of this file is uploaded.</p>;
  const whom = counted(good, 'recipient');
  return (
    <div className="row spread wrap">
      <span className="secondary">
        {after > 0
          ? `Goes on after line ${amount(after)}, with ${whom}.`
          : instead
            ? `${instead.name === file.name ? 'The file has changed since its upload was cut off' : `This is not ${instead.name}, whose upload was cut off`}, so it begins at its first line. Who is uploaded already stays as they are.`
            : 'Nothing is uploaded yet. Lines with errors stay behind; you can mend and upload them later.'}
        {good > room && (
          <b className="wrong">
            {' '}
            A campaign has at most {amount(recipientsMax)} recipients; this one can take{' '}
            {amount(room)} more.
          </b>
        )}
      </span>
      <Button variant="filled" disabled={good === 0} onClick={onUpload}>
        {after > 0 ? 'Go on' : `Upload ${whom}`}
      </Button>
    </div>
  );
}

interface UploadStateProps {
  readonly upload: Upload;
  /** Of the whole file. */
  readonly good: number;
  readonly onGoOn: () => void;
  readonly onStop: () => void;
}

function UploadState({ upload, good, onGoOn, onStop }: UploadStateProps) {
  const { state, uploaded, rate, done, duplicates, error } = upload;
  const left = Math.max(0, good - uploaded);
  const aside: ReactNode =
    state === 'running' ? (
      <Button onClick={onStop}>Stop</Button>
    ) : state === 'done' ? null : (
      <Button variant="filled" onClick={onGoOn}>
        Go on
      </Button>
    );
  const words = {
    running: 'Uploading',
    stopped: 'Stopped after',
    failed: 'Failed after',
    done: 'Uploaded',
  };
  return (
    <>
      <div className="row spread draft-upload">
        <span role="status">
          <b>
            {words[state]} {amount(uploaded)} of {amount(good)}
          </b>
          {state === 'running' && rate > 0 && (
            <span className="small">
              {' '}
              · {amount(Math.round(rate))} a second, {duration((left / rate) * 1_000)} left
            </span>
          )}
        </span>
        {aside}
      </div>
      <Progress
        value={good === 0 ? 100 : (100 * uploaded) / good}
        aria-label="Recipients uploaded"
        color={state === 'done' ? 'green' : undefined}
      />
      <p className="small draft-upload-note">
        {error
          ? `${error.message} What is uploaded stays.`
          : state === 'done'
            ? duplicates > 0
              ? `${counted(duplicates, 'recipient')} the campaign had already.`
              : 'You can choose another file to add more.'
            : `What is uploaded stays when you close this tab. Choose the same file again to go on${done.line > 0 ? ` after line ${amount(done.line)}` : ''}.`}
      </p>
    </>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${amount(Math.round(bytes / 1_000))} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
