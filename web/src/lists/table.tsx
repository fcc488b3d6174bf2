import type { ReactNode } from 'react';

/** A heading; where it needs one, with the class of its cell. */
type Head = string | readonly [name: string, className: string];

interface TableProps {
  /** Says what the table is; its headings are then only read out. */
  readonly caption?: string;
  readonly className?: string;
  readonly heads: readonly Head[];
  /** Whether rows can be selected: their first cell. */
  readonly isSelectable?: boolean;
  /** A last column for these, with a heading that is only read out. */
  readonly unseenHead?: Head;
  /** The rows. */
  readonly children: ReactNode;
}

/** Rows under headings. */
export function Table(props: TableProps) {
  const { caption, className = 'entries', heads, isSelectable, unseenHead, children } = props;
  return (
    <table className={`table ${className}`}>
      {caption && <caption className="unseen">{caption}</caption>}
      <thead className={caption && 'unseen'}>
        <tr>
          {isSelectable && (
            <th className="col-select only-wide">
              <span className="unseen">Selected</span>
            </th>
          )}
          {heads.map(headOf).map(([name, look]) => (
            <th key={name} className={look}>
              {name}
            </th>
          ))}
          {unseenHead && (
            <th className={headOf(unseenHead)[1]}>
              <span className="unseen">{headOf(unseenHead)[0]}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

const headOf = (head: Head) => (typeof head === 'string' ? ([head] as const) : head);
