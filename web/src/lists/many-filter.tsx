import { LazyMenu, useMenu } from '../parts/menu.tsx';
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
  const { opener, opened } = useMenu();
  return (
    <>
      <button {...opener} type="button" className="filter-add" data-set={isSet}>
        {isSet ? name : `+ ${name}`}
        {isSet && <b className="cut">{values.map(wordOf).join(', ')}</b>}
      </button>
      <LazyMenu {...opened} position="bottom-start" closeOnItemClick={false}>
        {(Menu) => (
          <>
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
          </>
        )}
      </LazyMenu>
    </>
  );
}
