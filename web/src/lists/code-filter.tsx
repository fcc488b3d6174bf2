import { lazyPart, OnceOpened } from '../parts/lazy-part.tsx';
import { useOpener } from '../parts/opener.ts';
import type { CodeFilterProps } from './code-popover.tsx';

const CodePopover = lazyPart(() => import('./code-popover.tsx'), 'CodePopover');

/** A code of WhatsApp, or any. */
export function CodeFilter(props: CodeFilterProps) {
  const { value } = props;
  const { opener, opened } = useOpener('dialog', CodePopover.preload);
  return (
    <>
      <button {...opener} type="button" className="filter-add" data-set={value !== undefined}>
        {value === undefined ? '+ Error code' : 'Error code'}
        {value !== undefined && <b>{value}</b>}
      </button>
      <OnceOpened isOpen={opened.isOpen}>
        {(isOpen) => <CodePopover {...props} opened={{ ...opened, isOpen }} />}
      </OnceOpened>
    </>
  );
}
