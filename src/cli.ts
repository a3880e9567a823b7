console.log('codehound')
