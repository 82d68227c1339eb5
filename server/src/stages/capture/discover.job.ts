import { discover, type Discovery, type DiscoverInput } from './discover.ts'

export default (input: DiscoverInput): Discovery => discover(input)
