import { LazyMenu, useMenu } from '../parts/menu.tsx';
import { wordOf } from '../parts/status-badge.tsx';

interface ChoiceFilterProps {
  readonly name: string;
  readonly choices: readonly string[];
  readonly value: string | undefined;
  /** The choices are names that people gave. */
  readonly isVerbatim?: boolean;
  /** What no choice is called. */
  readonly any?: string;
  readonly onChange: (value: string | undefined) => void;
}

/** One of a few values, or any. */
export function ChoiceFilter({
  name,
  choices,
  value,
  isVerbatim = false,
  any = `Any ${name.toLowerCase()}`,
  onChange,
}: ChoiceFilterProps) {
  const wordFor = (choice: string) => (isVerbatim ? choice : wordOf(choice));
  const { opener, opened } = useMenu();
  return (
    <>
      <button {...opener} type="button" className="filter-add" data-set={value !== undefined}>
        {value === undefined ? `+ ${name}` : name}
        {value !== undefined && (
          <b className="cut" title={isVerbatim ? value : undefined}>
            {wordFor(value)}
          </b>
        )}
      </button>
      <LazyMenu {...opened} position="bottom-start">
        {(Menu) => (
          <>
            {value !== undefined && (
              <Menu.Item onClick={() => onChange(undefined)}>{any}</Menu.Item>
            )}
            {choices.map((choice) => (
              <Menu.Item key={choice} onClick={() => onChange(choice)}>
                {wordFor(choice)}
              </Menu.Item>
            ))}
          </>
        )}
      </LazyMenu>
    </>
  );
}
