import { Button } from '@mantine/core';
import { IconDownload, IconPlayerSkipForward, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../parts/card.tsx';
import { amount } from '../../parts/numbers.ts';
import { Badge } from '../../parts/status-badge.tsx';
import { problemFile } from './problem-file.ts';
import type { FileReport } from './recipient-file.ts';
import type { LineProblem } from './recipient-lines.ts';

interface ProblemsCardProps {
  readonly fileName: string;
  readonly columns: readonly string[];
  readonly report: FileReport;
  readonly isUploaded: boolean;
  /** What Parley itself refused. */
  readonly refused: readonly LineProblem[];
}

const looks = {
  error: { tone: 'red', icon: IconX },
  'left out': { tone: 'amber', icon: IconPlayerSkipForward },
} as const;

const firstShown = 6;
const shownMax = 200;

/** What is wrong with the file, line by line. */
export function ProblemsCard({
  fileName,
  columns,
  report,
  isUploaded,
  refused,
}: ProblemsCardProps) {
  const [isAll, setIsAll] = useState(false);
  const problems = [...refused, ...report.problems].toSorted((one, other) => one.line - other.line);
  const count = report.errors + report.leftOut + refused.length;
  const shown = problems.slice(0, isAll ? shownMax : firstShown);
  const save = () => {
    const link = document.createElement('a');
    link.download = fileName.replace(/(\.\w+)?$/, ' problems.csv');
    link.href = URL.createObjectURL(problemFile(columns, problems));
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Card
      title="Problems"
      aside={
        count > 0 && (
          <Button size="xs" leftSection={<IconDownload size={14} />} onClick={save}>
            Problem lines
          </Button>
        )
      }
    >
      <dl className="draft-sums">
        <Sum
          count={report.good - refused.length}
          word={isUploaded ? 'uploaded' : 'will be added'}
        />
        <Sum count={report.errors + refused.length} word="with errors" tone="wrong" />
        <Sum count={report.leftOut} word="left out" />
      </dl>
      {count === 0 ? (
        <p className="card-body secondary">No line has a problem.</p>
      ) : (
        <>
          <ul className="draft-problems" aria-label="Lines with problems">
            {shown.map(({ line, column, value, what, kind }) => (
              <li key={`${line} ${what}`}>
                <div className="row spread">
                  <span>
                    Line <b>{amount(line)}</b>
                    {column !== null && (
                      <>
                        {' '}
                        · <code>{column}</code>
                      </>
                    )}
                  </span>
                  <Badge look={looks[kind]} word={kind === 'error' ? 'Error' : 'Left out'} />
                </div>
                <code className="cut draft-value" title={value}>
                  {value === '' ? '(empty)' : value.replaceAll(/[\r\n]+/g, '⏎')}
                </code>
                <div>{what}</div>
              </li>
            ))}
          </ul>
          {count > firstShown && (
            <div className="row spread card-body draft-problems-foot">
              <span className="small">
                {amount(shown.length)} of {amount(count)}
                {count > problems.length && `; the file has the first ${amount(problems.length)}`}
              </span>
              {!isAll && (
                <Button variant="subtle" size="xs" onClick={() => setIsAll(true)}>
                  {count <= shownMax ? `Show all ${amount(count)}` : `Show the first ${shownMax}`}
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </Card>
  );
}

interface SumProps {
  readonly count: number;
  readonly word: string;
  readonly tone?: string;
}

function Sum({ count, word, tone = '' }: SumProps) {
  return (
    <div>
      <dd className={`amount ${count > 0 ? tone : ''}`}>{amount(count)}</dd>
      <dt className="small">{word}</dt>
    </div>
  );
}
