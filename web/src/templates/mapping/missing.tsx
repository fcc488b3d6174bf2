import type { TemplateMapping } from '../../api/types.ts';
import { Notice } from '../../parts/notice.tsx';
import { type DraftLine, placeName, unfillable } from './mapping-draft.ts';

interface MissingProps {
  readonly mapping: TemplateMapping | null;
  readonly lines: readonly DraftLine[];
  /** Of each line; null: none. */
  readonly faults: readonly (string | null)[];
}

/** What prevents sends with this key. */
export function Missing({ lines, mapping, faults }: MissingProps) {
  const blocked = unfillable(lines);
  const unnamed = lines.filter(
    ({ name, parameter }) =>
      parameter.required && name.trim() === '' && parameter.kind !== 'location',
  );
  const others = faults.filter((fault) => fault !== null).length - unnamed.length;
  if (blocked.length > 0) {
    return (
      <Notice tone="red" role="status">
        <b>Its header is a location, which a variable cannot fill.</b> Send it with WhatsApp’s own
        components: <code>messages/template</code>.
      </Notice>
    );
  }
  if (mapping?.broken) {
    return (
      <Notice tone="red" role="status">
        <b>The mapping no longer fits the template.</b> {mapping.broken_reason}. Until it does,
        sends with this key are refused with <code>TEMPLATE_NOT_CONFIGURED</code>.
      </Notice>
    );
  }
  if (unnamed.length > 0) {
    return (
      <Notice tone="amber" role="status">
        <b>
          {unnamed.map(({ parameter }) => placeName(parameter)).join(', ')}{' '}
          {unnamed.length === 1 ? 'has' : 'have'} no variable.
        </b>{' '}
        {mapping
          ? 'Until then you cannot save the change; sends use the stored mapping.'
          : 'Until every place has one and the mapping is saved, sends with this key are refused with '}
        {!mapping && <code>TEMPLATE_NOT_CONFIGURED</code>}
        {!mapping && '.'}
      </Notice>
    );
  }
  if (others > 0) {
    return (
      <p className="wrong" role="status">
        {others} {others === 1 ? 'line needs' : 'lines need'} a change
      </p>
    );
  }
  if (!mapping) {
    return (
      <p className="secondary">
        Every place has a name. The mapping applies as soon as you save it.
      </p>
    );
  }
  return null;
}
