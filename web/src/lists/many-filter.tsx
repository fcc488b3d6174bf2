import { Menu } from '@mantine/core';
import { wordOf } from '../parts/status-badge.tsx';

interface ManyFilterProps {
  readonly name: string;
  readonly choices: readonly string[];
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** Some of a few values, or any. */
export function ManyFilter({ name, choices, values, onChange }: ManyFilterProps) {
  const isSet = values.length > 0;
  return (
    <Menu position="bottom-start" closeOnItemClick={false}>
      <Menu.Target>
        <button type="button" className="filter-add" data-set={isSet}>
          {isSet ? name : `+ ${name}`}
          {isSet && <b className="cut">{values.map(wordOf).join(', ')}</b>}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {isSet && (
          <Menu.Item onClick={() => onChange([])} closeMenuOnClick>
            Any {name.toLowerCase()}
          </Menu.Item>
        )}
        <Menu.CheckboxGroup
          value={[...values]}
          onChange={(next) => onChange(choices.filter((choice) => next.includes(choice)))}
        >
          {choices.map((choice) => (
            <Menu.CheckboxItem key={choice} value={choice}>
              {wordOf(choice)}
            </Menu.CheckboxItem>
          ))}
        </Menu.CheckboxGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
