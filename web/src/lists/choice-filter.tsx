import { Menu } from '@mantine/core';
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
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className="filter-add" data-set={value !== undefined}>
          {value === undefined ? `+ ${name}` : name}
          {value !== undefined && (
            <b className="cut" title={isVerbatim ? value : undefined}>
              {wordFor(value)}
            </b>
          )}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {value !== undefined && <Menu.Item onClick={() => onChange(undefined)}>{any}</Menu.Item>}
        {choices.map((choice) => (
          <Menu.Item key={choice} onClick={() => onChange(choice)}>
            {wordFor(choice)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
