import { IconCheck, IconSelector } from '@tabler/icons-react';
import { LazyMenu, useMenu } from '../parts/menu.tsx';
import { usePlace } from '../session/session.tsx';

/** The account that the page is about; with several, a choice of them. */
export function AccountSwitcher() {
  const { session, account, accounts, chooseAccount } = usePlace();
  const { opener, opened } = useMenu();
  const isOperator = session.user.role === 'operator';
  const name = account?.name ?? (isOperator ? 'All accounts' : 'Your account');
  const below =
    account?.display_phone_number ??
    (isOperator ? `${accounts.length} accounts` : session.user.email);
  const face = (
    <>
      <span className="letter" aria-hidden="true">
        {name.charAt(0).toUpperCase()}
      </span>
      <span className="grow">
        <span className="cut strong" style={{ display: 'block' }}>
          {name}
        </span>
        <span className="cut small" style={{ display: 'block' }}>
          {below}
        </span>
      </span>
    </>
  );
  if (accounts.length < 2) return <div className="side-account row">{face}</div>;
  return (
    <>
      <button {...opener} type="button" className="side-account row">
        {face}
        <IconSelector size={16} aria-hidden="true" />
      </button>
      <LazyMenu {...opened} position="bottom-start" width={212}>
        {(Menu) => (
          <>
            <Menu.Item onClick={() => chooseAccount(null)}>All accounts</Menu.Item>
            {accounts.map(({ id, name: each }) => (
              <Menu.Item
                key={id}
                onClick={() => chooseAccount(id)}
                rightSection={id === account?.id ? <IconCheck size={16} /> : null}
              >
                {each}
              </Menu.Item>
            ))}
          </>
        )}
      </LazyMenu>
    </>
  );
}
