import '../styles/manage.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { PageHeader } from '../parts/page-header.tsx';
import { operatorsOnly } from '../session/operators-only.tsx';
import { AccountForm } from './account-form.tsx';
import { MetaPlaces } from './go-live/meta-places.tsx';

/** Makes an account. */
export const NewAccountPage = operatorsOnly('Create an account', NewAccount);

function NewAccount() {
  const navigate = useNavigate();
  return (
    <div className="form-page">
      <PageHeader
        title="Create an account"
        crumb={<Link to="/accounts">Accounts</Link>}
        sentence="One WhatsApp business account with one number. Its page then leads you through what is left to do at Meta."
      />
      <div className="stack">
        <AccountForm
          account={null}
          onSaved={({ id }) =>
            void navigate({
              to: '/accounts/$accountId',
              params: { accountId: id },
              ignoreBlocker: true,
            })
          }
        />
        <MetaPlaces />
      </div>
    </div>
  );
}
