import type { JSX } from 'preact'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { Route, Router } from 'preact-iso/router'
import NotFound from './pages/not-found.tsx'

const Overview = lazy(() => import('./pages/overview.tsx'))
const Connections = lazy(() => import('./pages/connections.tsx'))
const NewConnection = lazy(() => import('./pages/new-connection.tsx'))
const Connection = lazy(() => import('./pages/connection.tsx'))
const Offers = lazy(() => import('./pages/offers.tsx'))
const Offer = lazy(() => import('./pages/offer.tsx'))
const Batch = lazy(() => import('./pages/batch.tsx'))
const Stock = lazy(() => import('./pages/stock.tsx'))
const Sweeps = lazy(() => import('./pages/sweeps.tsx'))
const Variant = lazy(() => import('./pages/variant.tsx'))
const Orders = lazy(() => import('./pages/orders.tsx'))
const Order = lazy(() => import('./pages/order.tsx'))
const Jobs = lazy(() => import('./pages/jobs.tsx'))
const Job = lazy(() => import('./pages/job.tsx'))
const Trace = lazy(() => import('./pages/trace.tsx'))
const Redrive = lazy(() => import('./pages/redrive.tsx'))
const Deliveries = lazy(() => import('./pages/deliveries.tsx'))
const Delivery = lazy(() => import('./pages/delivery.tsx'))
const Adapters = lazy(() => import('./pages/adapters.tsx'))
const Adapter = lazy(() => import('./pages/adapter.tsx'))
const Figures = lazy(() => import('./pages/figures.tsx'))
const Audit = lazy(() => import('./pages/audit.tsx'))
const Access = lazy(() => import('./pages/access.tsx'))
const System = lazy(() => import('./pages/system.tsx'))

/** One file for each address. Each page is loaded when somebody first opens it. */
export function Routes (): JSX.Element {
  return (
    <ErrorBoundary>
      <Router>
        <Route path='/console' component={Overview} />
        <Route path='/console/connections' component={Connections} />
        <Route path='/console/connections/new/:platform?' component={NewConnection} />
        <Route path='/console/connections/:id/:tab?' component={Connection} />
        <Route path='/console/offers' component={Offers} />
        <Route path='/console/offers/:id' component={Offer} />
        <Route path='/console/offers/batches/:id' component={Batch} />
        <Route path='/console/stock' component={Stock} />
        <Route path='/console/stock/sweeps' component={Sweeps} />
        <Route path='/console/stock/:id' component={Variant} />
        <Route path='/console/orders' component={Orders} />
        <Route path='/console/orders/:id' component={Order} />
        <Route path='/console/jobs' component={Jobs} />
        <Route path='/console/jobs/:id' component={Job} />
        <Route path='/console/trace/:requestId' component={Trace} />
        <Route path='/console/redrives/:id' component={Redrive} />
        <Route path='/console/deliveries' component={Deliveries} />
        <Route path='/console/deliveries/:id' component={Delivery} />
        <Route path='/console/adapters' component={Adapters} />
        <Route path='/console/adapters/:key/:version' component={Adapter} />
        <Route path='/console/figures' component={Figures} />
        <Route path='/console/audit' component={Audit} />
        <Route path='/console/access' component={Access} />
        <Route path='/console/system' component={System} />
        <Route default component={NotFound} />
      </Router>
    </ErrorBoundary>
  )
}
