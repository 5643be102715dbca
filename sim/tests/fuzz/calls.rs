//! Every function of the table with arguments made by [`World`].

use crate::values::World;
use toprope_abi::acl::AclError;
use toprope_abi::acl::sig::*;
use toprope_abi::layout::CTyped;

/// A function: name, and how it is called.
pub type Call = (&'static str, fn(&mut World));

/// What a function returned.
pub trait Outcome {
    fn look(self, world: &mut World, function: &'static str);
}

impl Outcome for AclError {
    fn look(self, world: &mut World, function: &'static str) {
        world.answered(function, self);
    }
}

impl<T> Outcome for *mut T {
    fn look(self, world: &mut World, function: &'static str) {
        world.returned(function, self as u64);
    }
}

macro_rules! plain_outcomes {
    ($($ty:ty)*) => { $(impl Outcome for $ty {
        fn look(self, world: &mut World, function: &'static str) {
            world.succeeded(function);
        }
    })* };
}
plain_outcomes! { *const CChar f32 u32 usize Float16 }

macro_rules! handle_outcomes {
    ($($ty:ty)*) => { $(impl Outcome for $ty {
        fn look(self, world: &mut World, function: &'static str) {
            world.returned(function, self.0 as u64);
        }
    })* };
}
handle_outcomes! { AllocatorDesc Binary }

macro_rules! define_calls {
    ($(
        $(#[doc = $doc:literal])+
        $tier:ident $group:literal $header:ident fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;
    )*) => {
        /// All of them.
        pub static CALLS: &[Call] = &[$((stringify!($name), |world: &mut World| {
            world.begin(stringify!($name));
            $(let $arg = world.make::<$ty>(stringify!($name), stringify!($arg), <$ty as CTyped>::C);)*
            world.announce(stringify!($name));
            // SAFETY: `World` keeps the contract of C, as said at the top of this program.
            let outcome = unsafe { (toprope_sim::runtime::api().$name)($($arg),*) };
            Outcome::look(outcome, world, stringify!($name));
        })),*];
    };
}
toprope_abi::for_each_acl_fn!(define_calls);
