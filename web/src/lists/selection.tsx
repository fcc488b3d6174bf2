import { IconX } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';

/** The chosen rows of a list. */
export interface Selection<Row> {
  /** In the order of the list; rows that it no longer shows are not chosen. */
  readonly chosen: readonly Row[];
  readonly isChosen: (row: Row) => boolean;
  readonly toggle: (row: Row) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
  readonly rows: readonly Row[];
}

/** Lets people choose rows. */
export function useSelection<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const isChosen = (row: Row) => ids.has(idOf(row));
  const chosen = rows.filter(isChosen);
  return {
    rows,
    chosen,
    isChosen,
    toggle: (row) => {
      const next = new Set(ids);
      if (!next.delete(idOf(row))) next.add(idOf(row));
      setIds(next);
    },
    toggleAll: () => setIds(new Set(chosen.length === rows.length ? [] : rows.map(idOf))),
    clear: () => setIds(new Set()),
  };
}

interface SelectCellProps<Row> {
  readonly selection: Selection<Row>;
  readonly row: Row;
  /** What the row is called. */
  readonly name: string;
}

/** The first cell of a row that can be chosen. */
export function SelectCell<Row>({ selection, row, name }: SelectCellProps<Row>) {
  return (
    <td className="col-select only-wide">
      <input
        type="checkbox"
        className="checkbox"
        aria-label={`Select ${name}`}
        checked={selection.isChosen(row)}
        onChange={() => selection.toggle(row)}
      />
    </td>
  );
}

/** What can be done with the chosen rows, which may be a lazy part; nothing while there are none. */
export function SelectionBar<Row>({
  selection,
  children,
}: {
  selection: Selection<Row>;
  children: ReactNode;
}) {
  const { chosen, rows } = selection;
  if (chosen.length === 0) return null;
  return (
    <section className="selection-bar row wrap" aria-label="Selected rows">
      <b>{chosen.length} selected</b>
      <button type="button" className="link" onClick={selection.toggleAll}>
        {chosen.length === rows.length ? 'Select none' : `Select all ${rows.length} shown`}
      </button>
      <span className="grow" />
      <Suspense fallback={null}>{children}</Suspense>
      <button
        type="button"
        className="icon-button"
        aria-label="Clear the selection"
        onClick={selection.clear}
      >
        <IconX size={16} />
      </button>
    </section>
  );
}
